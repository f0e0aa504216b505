import { page, paging, rows, scope } from '@kit/operation';
import { TemplateId } from '../ids.ts';
import { operation } from '../service.ts';
import { Sandbox } from './sandbox.ts';

/** `sandboxes.list` (compute.md §3.3): `scope: 'all'` also needs the read action on the tenant [seed]. */
export const list = operation({
  id: 'sandboxes.list',
  summary: 'List sandboxes, newest first.',
  effect: 'read',
  input: { ...scope, templateId: TemplateId.optional().meta({ description: 'Only those of this template (sbxt_…).' }), ...paging },
  output: page(Sandbox),
  action: 'compute:sandboxes:read',
  on: rows('sandbox'),
  tool: {
    name: 'list_sandboxes',
    description: 'List sandboxes, newest first: your own, or with scope those of the organization you may read.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
  },
  command: { path: ['sandbox', 'list'] },
  examples: [{ title: 'Your own', input: {} }],
});
