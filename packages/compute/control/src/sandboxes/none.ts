import type { EffectHandler, ReadHandler } from '../handler.ts';
import { invalidInput } from '../refuse.ts';
import { changeNone, emptyPage, getNone } from '../resources/none.ts';
import { requireOnTenant } from '../resources/tenant.ts';

/** What it would be made from does not exist: there are no templates and no snapshots. */
export const create: EffectHandler<'sandboxes.create'> = {
  ...changeNone,
  async about(_scope, { templateId, snapshotId }) {
    if ((templateId === undefined) === (snapshotId === undefined)) throw invalidInput('templateId', 'give either templateId or snapshotId');
    return undefined;
  },
};
export const list: ReadHandler<'sandboxes.list'> = async (scope, input) => {
  if (input.scope === 'all') await requireOnTenant(scope, 'compute:sandboxes:read');
  return emptyPage(input);
};
export const get: ReadHandler<'sandboxes.get'> = getNone;
export const extend: EffectHandler<'sandboxes.extend'> = { ...changeNone, about: async () => undefined };
export const remove: EffectHandler<'sandboxes.delete'> = changeNone;
