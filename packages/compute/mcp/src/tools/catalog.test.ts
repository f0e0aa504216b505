import { expect, test } from 'vitest';
import { createComputeMcp, gateTools } from '../index.ts';
import { ask, fakeCompute } from '../testing.ts';

/** Written apart from the source, from the seed page's table (lines 106 to 139): name, hints, option. R read-only, I idempotent, D destructive. */
const page = `
list_pools R
capacity_summary R
preview_reservation R
reserve_gpus I
release_reservation DI
list_reservations R
get_reservation R
extend_reservation I
node_status R
run_diagnostic I
create_instance I
list_instances R
get_instance R
start_instance I
stop_instance DI
delete_instance DI
list_sandbox_templates R
create_sandbox I
list_sandboxes R
get_sandbox R
extend_sandbox -
delete_sandbox DI
list_sandbox_snapshots R
delete_sandbox_snapshot DI
list_sandbox_volumes R
create_sandbox_volume I
resize_sandbox_volume I
delete_sandbox_volume DI
list_command_batches R
get_command_batch R
exec_command D execCommand
propose_command_batch I execCommand
fleet_export R fleet
fleet_plan R fleet`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [name: string, hints: string, option?: string]);
const hintsOf = new Map(page.map(([name, hints]) => [name, hints]));

const every = () => createComputeMcp({ baseURL: 'https://compute.example', fetch: fakeCompute().fetch, execCommand: true, fleet: true });

test('B44 B45 B46 B47 B48 B49 B50 B51 B52 B53 B54 B55 B56 B57 B58 B59 B60 B61 B62 B63 B64 B65 B66 B67 B68 B69 B70 B71 B72 B73 B74 B75 B76 B77 B78 B167 every tool of the page is there with the page’s hints, and what is beside them only reads', () => {
  expect(page).toHaveLength(34);
  const listed = every().listTools();
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(page.map(([name]) => name)));
  for (const { name, annotations: a } of listed) {
    const hints = `${a.readOnlyHint ? 'R' : ''}${a.destructiveHint ? 'D' : ''}${a.idempotentHint ? 'I' : ''}` || '-';
    expect([name, hints, a.openWorldHint]).toEqual([name, hintsOf.get(name) ?? 'R', false]);
  }
});

test('compute§11.1 the tools of an option are offered with it alone', () => {
  const listed = new Set(
    createComputeMcp({ baseURL: 'https://compute.example' })
      .listTools()
      .map(({ name }) => name),
  );
  for (const [name, , option] of page) if (option) expect(listed.has(name), name).toBe(false);
});

test('B136 compute§11.1 every tool the server can list has a gate rule, with every option on and with none', () => {
  for (const options of [{ execCommand: true, fleet: true }, {}]) {
    const mcp = createComputeMcp({ baseURL: 'https://compute.example', ...options });
    expect(Object.keys(gateTools(options))).toEqual(mcp.tools.map((tool) => tool.entry.name));
  }
});

test('compute§11.4 schemas are plain objects that take nothing unknown, and what comes back is named and never required', () => {
  for (const { name, inputSchema, outputSchema } of every().listTools()) {
    expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify([inputSchema, outputSchema]), name).not.toContain('$schema');
    expect(outputSchema, name).toMatchObject({ type: 'object', properties: { error: { type: 'object' } } });
    expect(outputSchema, name).not.toHaveProperty('required');
    expect(outputSchema.additionalProperties ?? true, name).toBe(true);
  }
  const reserve = every()
    .listTools()
    .find(({ name }) => name === 'reserve_gpus')!;
  const members = ['idempotencyKey', 'reservation', 'status', 'confirmationId', 'message', 'note', 'approvalUrl', 'error'];
  expect(Object.keys(reserve.outputSchema.properties as object).sort()).toEqual(members.sort());
});

// o200k_base makes one token of 3.9 bytes of this list
test('compute§11.4 the list is the same bytes every time, and far below 10,000 tokens (bytes / 3.8)', async () => {
  const bytes = async () => JSON.stringify((await ask(every(), 'tools/list')).body.result);
  const first = await bytes();
  expect(await bytes()).toBe(first);
  expect(new TextEncoder().encode(first).length / 3.8).toBeLessThan(10_000);
});

test('compute§11.4 catalogHash is SHA-256 in hex of the RFC 8785 form of the list', async () => {
  const hashOf = async (mcp: Parameters<typeof ask>[0]) => {
    const { tools, _meta } = (await ask(mcp, 'tools/list')).body.result;
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([k, v]) => [k, sorted(v)]),
            )
          : value;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(sorted(tools))));
    return [_meta['better-compute/catalogHash'], Buffer.from(digest).toString('hex')];
  };
  const [given, computed] = await hashOf(every());
  expect(given).toBe(computed);
});

test('B43 the list handed out is a copy: nobody changes what others are told', () => {
  const mcp = every();
  mcp.listTools()[0]!.name = 'other';
  expect(mcp.listTools()[0]!.name).toBe('list_pools');
});
