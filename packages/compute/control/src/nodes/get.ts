import type { ReadHandler } from '../handler.ts';
import type { NodeRow } from './store.ts';
import { nodeView } from './view.ts';

export const get: ReadHandler<'nodes.get', NodeRow> = async (_scope, _input, row) => ({ node: nodeView(row) });
