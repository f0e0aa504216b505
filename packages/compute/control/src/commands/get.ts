import type { ReadHandler } from '../handler.ts';
import type { CommandRow } from './store.ts';
import { commandView } from './view.ts';

export const get: ReadHandler<'commands.get', CommandRow> = async (_scope, _input, row) => ({ command: commandView(row) });
