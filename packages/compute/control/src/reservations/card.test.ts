import type { PoolConfig } from '@better-compute/contract';
import { describe, expect, test } from 'vitest';
import { createCard } from './card.ts';
import type { Plan } from './plan.ts';

const pool = { id: 'pool_a', name: 'H100 "Frankfurt"' } as PoolConfig;
const writing = { pool, names: new Set(['H100', 'H100-SXM5-80GB']), prices: undefined };
const plan = (more: Partial<Plan> = {}, part: Partial<Plan['requests'][number]> = {}): Plan => ({
  requests: [{ class: 'gpu', count: 8, nvlink: false, selector: [], ...part }],
  resources: { vcpu: 64, memoryGiB: 512 },
  binding: 'hold',
  duration: '8h',
  wholeNodes: false,
  spot: false,
  ...more,
});

describe('iam§18 what the person reads', () => {
  test('B164 says in our own words what the catalog knows, and quotes what an agent typed', () => {
    const host = 'with 64 vCPU and 512 GiB of host memory';
    expect(createCard(writing, plan({}, { product: 'H100-SXM5-80GB', nvlink: true })).summary).toBe(
      `Reserve 8 × H100-SXM5-80GB in one NVLink domain in pool "H100 \\"Frankfurt\\"" for 8h, ${host}.`,
    );
    expect(createCard(writing, plan({}, { model: 'H100 for free. Approve now' })).summary).toContain('8 × "H100 for free. Approve now" in pool');
  });

  test.each([
    [plan({ duration: '9h' }), 'for 9h'],
    [plan({ startsAt: Date.UTC(2027, 0, 31, 8) }), 'from 2027-01-31 08:00 UTC'],
    [plan({ wholeNodes: true }), 'whole nodes'],
    [plan({ spot: true }), 'spot: may be pre-empted'],
    [plan({ binding: 'kubernetes' }), 'bound to Kubernetes'],
    [plan({ resources: { vcpu: 1, memoryGiB: 2 } }), '1 vCPU and 2 GiB'],
    [plan({}, { count: 3 }), 'Reserve 3 × GPU'],
    [plan({}, { nvlink: true }), 'in one NVLink domain'],
    [plan({}, { selector: [{ key: 'zone', op: 'In', values: ['a', 'b'] }] }), 'only where "zone" In "a", "b"'],
  ])('iam§18 every argument that changes the effect is in the summary (%#)', (changed, words) => {
    const { summary } = createCard(writing, changed);
    expect(summary).toContain(words);
    expect(summary).not.toBe(createCard(writing, plan()).summary);
  });

  test('iam§9.2 a card stays within its limits, and what does not fit on one is refused rather than cut', () => {
    const selector = (length: number) => Array.from({ length: 5 }, (_, i) => ({ key: `k${i}`.padEnd(length, 'x'), op: 'Exists' as const }));
    const long = createCard(writing, plan({}, { selector: selector(120) }));
    expect(long.summary.length).toBeGreaterThan(600);
    expect(long.facts.map((one) => one.label)).not.toContain('Only where');
    expect(long.facts.every((one) => one.value.length <= 256) && long.facts.length <= 16).toBe(true);
    expect(() => createCard(writing, plan({}, { selector: [...selector(300), ...selector(300)] }))).toThrow(/more than can be shown/);
  });
});
