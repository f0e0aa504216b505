import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { planAttributes } from './resource.ts';

const name = fc.option(fc.constantFrom('H100', 'A100'), { nil: undefined });
const part = fc.record({ model: name, product: name, count: fc.integer({ min: 1, max: 8 }) }).map(({ model, product, count }) => ({
  class: 'gpu' as const,
  count,
  nvlink: false,
  selector: [],
  ...(model === undefined ? {} : { model }),
  ...(product === undefined ? {} : { product }),
}));

test('compute§3.2 a model or product is an attribute only where every part of the request asks for it: an allow that tests it admits nothing else', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (requests) => {
      const plan: Plan = { requests, resources: { vcpu: 0, memoryGiB: 0 }, binding: 'hold', duration: '1h', wholeNodes: false, spot: false };
      const { gpuModel, gpuProduct } = planAttributes('pool_a', plan);
      for (const kind of ['H100', 'A100']) {
        expect(gpuModel === kind).toBe(requests.every((one) => one.model === kind));
        expect(gpuProduct === kind).toBe(requests.every((one) => one.product === kind));
      }
    }),
  );
});
