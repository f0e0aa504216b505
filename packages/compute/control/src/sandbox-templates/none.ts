import type { ReadHandler } from '../handler.ts';
import { emptyPage, getNone } from '../resources/none.ts';
import { requireOnTenant } from '../resources/tenant.ts';

export const list: ReadHandler<'sandboxTemplates.list'> = async (scope, input) => {
  await requireOnTenant(scope, 'compute:sandboxes:read');
  return emptyPage(input);
};
export const get: ReadHandler<'sandboxTemplates.get'> = getNone;
