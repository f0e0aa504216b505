import { byPool } from './capacity/by-pool.ts';
import { preview } from './capacity/preview.ts';
import { summary } from './capacity/summary.ts';
import type { Handler, OperationId } from './handler.ts';
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

/** Operation → handler, total by type: an operation without one does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  'pools.list': poolList.list,
  'pools.get': poolGet.get,
  'pools.describe': describe,
  'capacity.summary': summary,
  'capacity.byPool': byPool,
  'capacity.preview': preview,
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
};
