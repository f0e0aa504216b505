import type { FleetConfig } from '@better-compute/contract';
import type { ReadHandler } from '../handler.ts';
import { planOf } from './plan-of.ts';
import { checkedFile, readSlugs } from './slugs.ts';
import { stateOf } from './state.ts';

export const plan: ReadHandler<'fleet.plan'> = async ({ plane, tx }, { config }) => {
  const slugs = await readSlugs(plane, tx);
  // the schema has written the defaults out
  const { changes, planHash, calls } = planOf(await stateOf(tx, slugs), checkedFile(config as FleetConfig, slugs));
  return { plan: { changes, planHash, calls } };
};
