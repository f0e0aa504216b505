import { type Action, actions } from './actions.ts';

type AttributeType = 'string' | 'number' | 'boolean' | 'string[]';

interface ResourceTypeSpec {
  actions: readonly Action[];
  attributes: Readonly<Record<string, AttributeType>>;
}

/** What one owns and may share; `ownerId` is the server's own and not listed. */
const sizes = { poolId: 'string', sizeGiB: 'number' } as const;

/** Resource types without their prefix: what policies can name and test (compute.md §3.2). */
export const resourceTypes = {
  tenant: {
    actions: [
      'compute:batches:create',
      'compute:batches:read',
      'compute:images:create',
      'compute:budgets:read',
      'compute:budgets:update',
      // lists of everything an organization has
      'compute:sandboxes:read',
      'compute:snapshots:read',
      'compute:volumes:read',
    ],
    attributes: { kind: 'string', nodeCount: 'number' },
  },
  pool: {
    actions: ['compute:pools:read', 'compute:nodes:create'],
    attributes: { kind: 'string', gpuProducts: 'string[]', region: 'string', operator: 'boolean' },
  },
  node: {
    actions: ['compute:nodes:read', 'compute:nodes:drain', 'compute:nodes:remove'],
    attributes: { poolId: 'string', state: 'string', operator: 'boolean' },
  },
  reservation: {
    actions: ['compute:reservations:create', 'compute:reservations:extend', 'compute:reservations:release', 'compute:reservations:read'],
    attributes: {
      poolId: 'string',
      gpus: 'number',
      gpuModel: 'string',
      gpuProduct: 'string',
      nvlink: 'boolean',
      binding: 'string',
      durationSeconds: 'number',
      gpuHours: 'number',
      startsAt: 'number',
      spot: 'boolean',
      state: 'string',
      reservationId: 'string',
      addSeconds: 'number',
      totalSeconds: 'number',
    },
  },
  instance: {
    actions: actionsOf('instances'),
    attributes: { poolId: 'string', flavor: 'string', imageId: 'string', vcpu: 'number', memoryGiB: 'number', state: 'string' },
  },
  image: { actions: ['compute:images:read', 'compute:images:delete'], attributes: { kind: 'string', arch: 'string' } },
  'sandbox-template': {
    actions: ['compute:sandboxes:read', ...actionsOf('templates')],
    attributes: { poolId: 'string', egress: 'string', volumeIds: 'string[]' },
  },
  sandbox: {
    actions: actionsOf('sandboxes'),
    attributes: { poolId: 'string', templateId: 'string', ttlSeconds: 'number', addSeconds: 'number' },
  },
  snapshot: { actions: actionsOf('snapshots'), attributes: { ...sizes, sandboxId: 'string', templateId: 'string' } },
  volume: { actions: actionsOf('volumes'), attributes: sizes },
  command: {
    actions: ['compute:commands:read', 'compute:nodes:diagnose', 'compute:nodes:refresh', 'compute:nodes:logs', 'compute:nodes:reboot'],
    attributes: { kind: 'string', nodeId: 'string', poolId: 'string', batchId: 'string', operator: 'boolean' },
  },
  batch: { actions: ['compute:batches:approve', 'compute:batches:cancel'], attributes: { kind: 'string', nodeCount: 'number' } },
  fleet: { actions: ['compute:fleet:admin'], attributes: {} },
} as const satisfies Record<string, ResourceTypeSpec>;

export type ResourceType = keyof typeof resourceTypes;

export const TYPE_PREFIX = 'compute-';

/** What IAM has to know of compute: its actions and its types under the deployment's prefix (iam.md §9.1). */
export function computeCatalog(o: { typePrefix?: string } = {}): { actions: readonly Action[]; resourceTypes: Record<string, ResourceTypeSpec> } {
  const prefix = o.typePrefix ?? TYPE_PREFIX;
  return { actions, resourceTypes: Object.fromEntries(Object.entries(resourceTypes).map(([name, spec]) => [prefix + name, spec])) };
}

function actionsOf(group: string): Action[] {
  return actions.filter((action) => action.startsWith(`compute:${group}:`));
}
