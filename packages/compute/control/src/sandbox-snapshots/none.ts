import type { EffectHandler, ReadHandler } from '../handler.ts';
import { changeNone, emptyPage, getNone } from '../resources/none.ts';
import { requireOnTenant } from '../resources/tenant.ts';

export const list: ReadHandler<'sandboxSnapshots.list'> = async (scope, input) => {
  if (input.scope === 'all') await requireOnTenant(scope, 'compute:snapshots:read');
  return emptyPage(input);
};
export const get: ReadHandler<'sandboxSnapshots.get'> = getNone;
export const remove: EffectHandler<'sandboxSnapshots.delete'> = changeNone;
