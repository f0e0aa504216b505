import type { EffectHandler, ReadHandler } from '../handler.ts';
import { changeNone, emptyPage, getNone } from '../resources/none.ts';

export const list: ReadHandler<'instances.list'> = async (_scope, input) => emptyPage(input);
export const get: ReadHandler<'instances.get'> = getNone;
export const start: EffectHandler<'instances.start'> = changeNone;
export const stop: EffectHandler<'instances.stop'> = changeNone;
export const remove: EffectHandler<'instances.delete'> = changeNone;
