import type { ReadHandler } from '../handler.ts';
import { emptyPage, getNone } from '../resources/none.ts';

export const list: ReadHandler<'commandBatches.list'> = async (_scope, input) => emptyPage(input);
export const get: ReadHandler<'commandBatches.get'> = getNone;
