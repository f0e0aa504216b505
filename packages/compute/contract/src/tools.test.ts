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
  ['run_diagnostic', 'I', 'compute:nodes:read node nodeId'],
  ['create_instance', 'I', 'compute:pools:read pool poolId'],
  ['list_instances', 'R', 'any'],
  ['get_instance', 'R', 'any'],
  ['start_instance', 'I', 'any'],
  ['stop_instance', 'DI', 'any'],
  ['delete_instance', 'DI', 'any'],
  ['list_sandbox_templates', 'R', 'any'],
  ['create_sandbox', 'I', 'compute:sandboxes:read sandbox-template templateId'],
  ['list_sandboxes', 'R', 'any'],
  ['get_sandbox', 'R', 'any'],
  ['extend_sandbox', '', 'any'],
  ['delete_sandbox', 'DI', 'any'],
  ['list_sandbox_snapshots', 'R', 'any'],
  ['delete_sandbox_snapshot', 'DI', 'any'],
  ['list_sandbox_volumes', 'R', 'any'],
  ['create_sandbox_volume', 'I', 'compute:pools:read pool poolId'],
  ['resize_sandbox_volume', 'I', 'any'],
  ['delete_sandbox_volume', 'DI', 'any'],
  ['list_command_batches', 'R', 'any'],
  ['get_command_batch', 'R', 'any'],
  ['exec_command', 'D', 'compute:nodes:read node nodeId', 'execCommand'],
  ['propose_command_batch', 'I', 'any', 'execCommand'],
  ['fleet_export', 'R', 'compute:fleet:admin fleet global', 'fleet'],
  ['fleet_plan', 'R', 'compute:fleet:admin fleet global', 'fleet'],
].map(([name, hints, gate, option]) => [name, hints, gate, option]);

const named = (name: string) => tools.find((tool) => tool.entry.name === name)!;
const argumentsOf = (name: string) => Object.keys((named(name).entry.inputSchema.properties ?? {}) as object);

test('B44 B45 B46 B47 B48 B49 B50 B51 B52 B53 B54 B55 B56 B57 B58 B59 B60 B61 B62 B63 B64 B65 B66 B67 B68 B69 B70 B71 B72 B73 B74 B75 B76 B77 B78 every tool has the hints, the gate rule and the option of the page', () => {
  const offered = tools.map(({ entry, gate, spec }) => [
    entry.name,
    `${entry.annotations.readOnlyHint ? 'R' : ''}${entry.annotations.destructiveHint ? 'D' : ''}${entry.annotations.idempotentHint ? 'I' : ''}`,
    gate === 'any' ? 'any' : `${gate.action} ${gate.type} ${'argument' in gate ? gate.argument : gate.id}`,
    spec.option,
  ]);
  const onPage = new Set(page.map(([name]) => name));
  const inOrder = (rows: (string | undefined)[][]) => [...rows].sort(([a], [b]) => (a! < b! ? -1 : 1));
  expect(inOrder(offered.filter(([name]) => onPage.has(name!)))).toEqual(inOrder(page));
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
