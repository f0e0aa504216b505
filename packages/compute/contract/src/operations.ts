import { service } from '@kit/operation';
import { byPool } from './capacity/by-pool.ts';
import { preview } from './capacity/preview.ts';
import { summary } from './capacity/summary.ts';
import { codes } from './codes.ts';
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

/** The registry: every surface of the service is a loop over these values. Order is the order of lists of tools and pages. */
export const operations = [
  poolList.list,
  poolGet.get,
  describe,
  summary,
  byPool,
  preview,
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
] as const;

export const computeService = service({ name: 'compute', basePath: '/api/compute', codes, operations, bodyBytesMax: limits.bodyBytesMax });

export type ComputeOperation = (typeof operations)[number];
