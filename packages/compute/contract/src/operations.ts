import { service } from '@kit/operation';
import * as budgetLeft from './budgets/left.ts';
import * as budgetList from './budgets/list.ts';
import * as budgetSet from './budgets/set.ts';
import { byPool } from './capacity/by-pool.ts';
import { calendar } from './capacity/calendar.ts';
import { preview } from './capacity/preview.ts';
import { summary } from './capacity/summary.ts';
import { codes } from './codes.ts';
import * as batchCreate from './command-batches/create.ts';
import * as batchGet from './command-batches/get.ts';
import * as batchList from './command-batches/list.ts';
import * as commandGet from './commands/get.ts';
import * as commandList from './commands/list.ts';
import { run } from './commands/run.ts';
import * as flavorList from './flavors/list.ts';
import { apply } from './fleet/apply.ts';
import { exportFleet } from './fleet/export.ts';
import { plan } from './fleet/plan.ts';
import * as instanceCreate from './instances/create.ts';
import * as instanceDelete from './instances/delete.ts';
import * as instanceGet from './instances/get.ts';
import * as instanceList from './instances/list.ts';
import { start } from './instances/start.ts';
import { stop } from './instances/stop.ts';
import { limits } from './limits.ts';
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
import * as snapshotDelete from './sandbox-snapshots/delete.ts';
import * as snapshotGet from './sandbox-snapshots/get.ts';
import * as snapshotList from './sandbox-snapshots/list.ts';
import * as templateGet from './sandbox-templates/get.ts';
import * as templateList from './sandbox-templates/list.ts';
import * as volumeCreate from './sandbox-volumes/create.ts';
import * as volumeDelete from './sandbox-volumes/delete.ts';
import * as volumeGet from './sandbox-volumes/get.ts';
import * as volumeList from './sandbox-volumes/list.ts';
import { resize } from './sandbox-volumes/resize.ts';
import * as sandboxCreate from './sandboxes/create.ts';
import * as sandboxDelete from './sandboxes/delete.ts';
import * as sandboxExtend from './sandboxes/extend.ts';
import * as sandboxGet from './sandboxes/get.ts';
import * as sandboxList from './sandboxes/list.ts';

/** The registry: every surface of the service is a loop over these values. Order is the order of lists of tools and pages. */
export const operations = [
  poolList.list,
  poolGet.get,
  describe,
  summary,
  byPool,
  preview,
  calendar,
  reservationCreate.create,
  release,
  reservationList.list,
  reservationGet.get,
  extend,
  nodeList.list,
  nodeGet.get,
  drain,
  undrain,
  remove,
  nodeTokenCreate.create,
  nodeTokenList.list,
  nodeTokenRevoke.revoke,
  run,
  commandList.list,
  commandGet.get,
  instanceCreate.create,
  instanceList.list,
  instanceGet.get,
  start,
  stop,
  instanceDelete.remove,
  flavorList.list,
  templateList.list,
  templateGet.get,
  sandboxCreate.create,
  sandboxList.list,
  sandboxGet.get,
  sandboxExtend.extend,
  sandboxDelete.remove,
  snapshotList.list,
  snapshotGet.get,
  snapshotDelete.remove,
  volumeList.list,
  volumeGet.get,
  volumeCreate.create,
  resize,
  volumeDelete.remove,
  batchList.list,
  batchGet.get,
  batchCreate.create,
  budgetList.list,
  budgetSet.set,
  budgetLeft.left,
  exportFleet,
  plan,
  apply,
] as const;

export const computeService = service({ name: 'compute', basePath: '/api/compute', codes, operations, bodyBytesMax: limits.bodyBytesMax });

export type ComputeOperation = (typeof operations)[number];
