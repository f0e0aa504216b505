import type { InputOf, OutputOf } from '@kit/operation';
import { canonicalJson, sha256Hex } from '@better-iam/core';
import type { ConfigChange, IamConfig } from '@better-iam/contract';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { checkedConfig } from './check.ts';
import { diff } from './diff.ts';
import { type ConfigState, readState } from './state.ts';

type Plan = OperationOf<'config.plan'>;

export interface Planned {
  state: ConfigState;
  wanted: IamConfig;
  changes: ConfigChange[];
  planHash: string;
}

/** The hash is of what is wanted, of what that changes, and of the versions of all it touches (iam.md §11.5). */
export async function planOf(call: Pick<Call, 'plane' | 'tx' | 'tenantId' | 'now'>, config: IamConfig): Promise<Planned> {
  const state = await readState(call.tx, call.tenantId, call.now);
  const wanted = checkedConfig(call.plane, state, config);
  const changes = diff(state, wanted);
  const versions = changes.map(({ path }) => state.versions.get(path) ?? null);
  return { state, wanted, changes, planHash: sha256Hex(canonicalJson({ v: 1, tenantId: call.tenantId, wanted, changes, versions })) };
}

export async function planConfig(call: Call, input: InputOf<Plan>): Promise<OutputOf<Plan>> {
  await call.require('iam:config:read');
  const { changes, planHash } = await planOf(call, input.config);
  return { changes, planHash };
}
