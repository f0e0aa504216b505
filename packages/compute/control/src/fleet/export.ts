import type { ReadHandler } from '../handler.ts';
import { readSlugs } from './slugs.ts';
import { stateOf } from './state.ts';

export const exportFleet: ReadHandler<'fleet.export'> = async ({ plane, tx }) => {
  const { config } = await stateOf(tx, await readSlugs(plane, tx));
  return { config };
};
