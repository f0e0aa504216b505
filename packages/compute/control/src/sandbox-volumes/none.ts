import type { EffectHandler, ReadHandler } from '../handler.ts';
import { changeNone, emptyPage, getNone } from '../resources/none.ts';
import { requireOnTenant } from '../resources/tenant.ts';

export const list: ReadHandler<'sandboxVolumes.list'> = async (scope, input) => {
  if (input.scope === 'all') await requireOnTenant(scope, 'compute:volumes:read');
  return emptyPage(input);
};
export const get: ReadHandler<'sandboxVolumes.get'> = getNone;
export const resize: EffectHandler<'sandboxVolumes.resize'> = { ...changeNone, about: async () => undefined };
export const remove: EffectHandler<'sandboxVolumes.delete'> = changeNone;
