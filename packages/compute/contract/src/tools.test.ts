import { parseWith } from '@kit/operation';
import { describe, expect, test } from 'vitest';
import { tools } from './tools.ts';

/** Written apart from the source, from the seed page's table: name, R read-only, D destructive, I idempotent, gate rule. */
const page = [
  ['list_pools', 'R', 'any'],
  ['capacity_summary', 'R', 'any'],
  ['preview_reservation', 'R', 'compute:pools:read pool poolId'],
  ['reserve_gpus', 'I', 'compute:pools:read pool poolId'],
  ['release_reservation', 'DI', 'any'],
  ['list_reservations', 'R', 'any'],
  ['get_reservation', 'R', 'any'],
  ['extend_reservation', 'I', 'any'],
  ['node_status', 'R', 'compute:nodes:read node nodeId'],
];

const named = (name: string) => tools.find((tool) => tool.entry.name === name)!;
const argumentsOf = (name: string) => Object.keys((named(name).entry.inputSchema.properties ?? {}) as object);

test('B44 B45 B46 B47 B48 B49 B50 B51 B52 B78 every tool has the hints and the gate rule of the page', () => {
  const offered = tools.map(({ entry, gate }) => [
    entry.name,
    `${entry.annotations.readOnlyHint ? 'R' : ''}${entry.annotations.destructiveHint ? 'D' : ''}${entry.annotations.idempotentHint ? 'I' : ''}`,
    gate === 'any' ? 'any' : `${gate.action} ${gate.type} ${'argument' in gate ? gate.argument : gate.id}`,
  ]);
  const onPage = new Set(page.map(([name]) => name));
  expect(offered.filter(([name]) => onPage.has(name!))).toEqual(page);
  // the page fixes its own tools; one beyond it may look, never act
  expect(offered.filter(([name, hints]) => !onPage.has(name!) && hints !== 'R')).toEqual([]);
  expect(tools.every(({ entry }) => entry.annotations.openWorldHint === false)).toBe(true);
});

describe('arguments', () => {
  test('B79 B84 B166 the GPU tools share one flat shape, and reserve_gpus adds a key and a wait', () => {
    const shared = ['poolId', 'gpus', 'duration', 'gpuModel', 'gpuProduct', 'nvlink', 'selector', 'vcpu', 'memoryGiB', 'kubernetes'];
    expect(argumentsOf('preview_reservation')).toEqual(shared);
    expect(argumentsOf('reserve_gpus')).toEqual([...shared, 'idempotencyKey', 'waitSeconds']);
  });

  test('B49 B51 B113 list filters and ids are those of the page', () => {
    expect(argumentsOf('list_reservations')).toEqual(['scope', 'state', 'poolId', 'limit', 'cursor']);
    expect(argumentsOf('extend_reservation')).toEqual(['reservationId', 'by', 'idempotencyKey']);
    expect(argumentsOf('release_reservation')).toEqual(['reservationId']);
    expect(() => parseWith(named('get_reservation').arguments, { reservationId: 'rsv_short' })).toThrow(/reservationId/);
  });

  test('B114 an unknown argument is refused by name, with the one that was meant', () => {
    const call = { poolId: 'pool_a', gpus: 1, duration: '1h', gpu_model: 'H100' };
    expect(() => parseWith(named('reserve_gpus').arguments, call)).toThrow('gpu_model: unknown member; did you mean gpuModel?');
  });

  test.each([
    [{ gpus: 0 }],
    [{ gpus: 65 }],
    [{ gpus: 1.5 }],
    [{ duration: '90' }],
    [{ duration: '1h30m' }],
    [{ vcpu: 4097 }],
    [{ memoryGiB: 65_537 }],
    [{ selector: Array.from({ length: 33 }, () => ({ key: 'a', op: 'Exists' })) }],
    [{ selector: [{ key: 'a', op: 'Gt', values: ['many'] }] }],
    [{ selector: [{ key: 'a', op: 'Like', values: ['b'] }] }],
    [{ waitSeconds: 31 }],
    [{ idempotencyKey: 'has space' }],
    [{ poolId: 'pool_a/../b' }],
  ])('B79 %j is outside the bounds of the page', (wrong) => {
    expect(() => parseWith(named('reserve_gpus').arguments, { poolId: 'pool_a', gpus: 1, duration: '1h', ...wrong })).toThrow();
  });
});

describe('what a call becomes', () => {
  const inputOf = (name: string, args: Record<string, unknown>) => named(name).callOf(parseWith(named(name).arguments, args)).input;

  test('B80 B81 B82 B84 flat arguments become one device request of class gpu', () => {
    const args = { poolId: 'pool_a', gpus: 2, duration: '8h', gpuModel: 'H100', nvlink: true, vcpu: 8, kubernetes: true, idempotencyKey: 'k1', waitSeconds: 3 };
    expect(inputOf('reserve_gpus', args)).toEqual({
      poolId: 'pool_a',
      requests: [{ class: 'gpu', count: 2, model: 'H100', nvlink: true, selector: [] }],
      resources: { vcpu: 8 },
      binding: 'kubernetes',
      duration: '8h',
      idempotencyKey: 'k1',
      wait: { timeoutMs: 3000 },
    });
    const { wait, ...rest } = inputOf('reserve_gpus', { poolId: 'pool_a', gpus: 1, duration: '8h' });
    expect(wait).toEqual({ timeoutMs: 20_000 });
    expect(rest).toEqual(inputOf('preview_reservation', { poolId: 'pool_a', gpus: 1, duration: '8h' }));
  });

  test('B45 capacity_summary is capacity.byPool when it names a pool', () => {
    expect(named('capacity_summary').callOf({}).operation.id).toBe('capacity.summary');
    const call = named('capacity_summary').callOf({ poolId: 'pool_a' });
    expect([call.operation.id, call.input]).toEqual(['capacity.byPool', { poolId: 'pool_a' }]);
  });
});
