import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { requestMembers } from './gpu-request.ts';

const Requests = z.strictObject({ requests: requestMembers.requests });
const partWith = (selectors: number) => ({
  class: 'gpu',
  count: 1,
  selector: Array.from({ length: selectors }, (_, i) => ({ key: `label-${i}`, op: 'Exists' })),
});

test('compute§15 the parts of a gang have at most 64 selector expressions together', () => {
  const full = [partWith(limits.selectorsMax), partWith(limits.selectorsMax)];
  expect(Requests.safeParse({ requests: full }).success).toBe(true);
  const { error } = Requests.safeParse({ requests: [...full, partWith(1)] });
  expect(error!.issues).toMatchObject([{ path: ['requests'], message: 'at most 64 selector expressions in all' }]);
});
