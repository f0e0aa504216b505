import { page, paging, rows } from '@kit/operation';
import { z } from 'zod';
import { operation } from '../service.ts';
import { Template } from './template.ts';

/** `sandboxTemplates.list` (compute.md §7.1). Needs the read action on the tenant too (§3.3); never shows `env` or `userData` [seed]. */
export const list = operation({
  id: 'sandboxTemplates.list',
  summary: 'List the templates that sandboxes are made from.',
  effect: 'read',
  input: { ...paging },
  output: page(Template),
  action: 'compute:sandboxes:read',
  on: rows('sandbox-template'),
  tool: {
    name: 'list_sandbox_templates',
    description: 'List the templates that sandboxes are made from: image, sizes, TTL, egress and volumes. Start here to find a templateId.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: 'any',
    arguments: z.strictObject({}),
    toInput: () => ({ limit: 200 }),
  },
  command: { path: ['sandbox-template', 'list'] },
  examples: [{ title: 'All of them', input: {} }],
});
