import * as budgetLeft from './budgets/left.ts';
import * as budgetList from './budgets/list.ts';
import * as budgetSet from './budgets/set.ts';
import { byPool } from './capacity/by-pool.ts';
import { calendar } from './capacity/calendar.ts';
import { preview } from './capacity/preview.ts';
import { summary } from './capacity/summary.ts';
import { create as createBatch } from './command-batches/create.ts';
import * as batches from './command-batches/none.ts';
import * as commandGet from './commands/get.ts';
import * as commandList from './commands/list.ts';
import { run } from './commands/run.ts';
import * as flavorList from './flavors/list.ts';
import { apply } from './fleet/apply.ts';
import { exportFleet } from './fleet/export.ts';
import { plan } from './fleet/plan.ts';
import type { Handler, OperationId } from './handler.ts';
import { create as createInstance } from './instances/create.ts';
import * as instances from './instances/none.ts';
import * as nodeTokenCreate from './node-tokens/create.ts';
import * as nodeTokenList from './node-tokens/list.ts';
import * as nodeTokenRevoke from './node-tokens/revoke.ts';
import { drain } from './nodes/drain.ts';
import * as nodeGet from './nodes/get.ts';
import * as nodeList from './nodes/list.ts';
import { remove } from './nodes/remove.ts';
import { undrain } from './nodes/undrain.ts';
import { describe } from './pools/describe.ts';
import * as poolGet from './pools/get.ts';
import * as poolList from './pools/list.ts';
import * as reservationCreate from './reservations/create.ts';
import { extend } from './reservations/extend.ts';
import * as reservationGet from './reservations/get.ts';
import * as reservationList from './reservations/list.ts';
import { release } from './reservations/release.ts';
import * as snapshots from './sandbox-snapshots/none.ts';
import * as templates from './sandbox-templates/none.ts';
import { create as createVolume } from './sandbox-volumes/create.ts';
import * as volumes from './sandbox-volumes/none.ts';
import * as sandboxes from './sandboxes/none.ts';

/** Operation → handler, total by type: an operation without one does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  'pools.list': poolList.list,
  'pools.get': poolGet.get,
  'pools.describe': describe,
  'capacity.summary': summary,
  'capacity.byPool': byPool,
  'capacity.preview': preview,
  'capacity.calendar': calendar,
  'reservations.create': reservationCreate.create,
  'reservations.release': release,
  'reservations.list': reservationList.list,
  'reservations.get': reservationGet.get,
  'reservations.extend': extend,
  'nodes.list': nodeList.list,
  'nodes.get': nodeGet.get,
  'nodes.drain': drain,
  'nodes.undrain': undrain,
  'nodes.remove': remove,
  'nodeTokens.create': nodeTokenCreate.create,
  'nodeTokens.list': nodeTokenList.list,
  'nodeTokens.revoke': nodeTokenRevoke.revoke,
  'commands.run': run,
  'commands.list': commandList.list,
  'commands.get': commandGet.get,
  'instances.create': createInstance,
  'instances.list': instances.list,
  'instances.get': instances.get,
  'instances.start': instances.start,
  'instances.stop': instances.stop,
  'instances.delete': instances.remove,
  'flavors.list': flavorList.list,
  'sandboxTemplates.list': templates.list,
  'sandboxTemplates.get': templates.get,
  'sandboxes.create': sandboxes.create,
  'sandboxes.list': sandboxes.list,
  'sandboxes.get': sandboxes.get,
  'sandboxes.extend': sandboxes.extend,
  'sandboxes.delete': sandboxes.remove,
  'sandboxSnapshots.list': snapshots.list,
  'sandboxSnapshots.get': snapshots.get,
  'sandboxSnapshots.delete': snapshots.remove,
  'sandboxVolumes.list': volumes.list,
  'sandboxVolumes.get': volumes.get,
  'sandboxVolumes.create': createVolume,
  'sandboxVolumes.resize': volumes.resize,
  'sandboxVolumes.delete': volumes.remove,
  'commandBatches.list': batches.list,
  'commandBatches.get': batches.get,
  'commandBatches.create': createBatch,
  'fleet.export': exportFleet,
  'fleet.plan': plan,
  'fleet.apply': apply,
  'budgets.list': budgetList.list,
  'budgets.set': budgetSet.set,
  'budgets.left': budgetLeft.left,
};
