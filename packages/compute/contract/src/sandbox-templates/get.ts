import { object } from '@kit/operation';
import { TemplateId } from '../ids.ts';
import { operation } from '../service.ts';
import { Template } from './template.ts';

/** `sandboxTemplates.get` (compute.md §7.1). */
export const get = operation({
  id: 'sandboxTemplates.get',
  summary: 'Show one sandbox template.',
  effect: 'read',
  input: { templateId: TemplateId },
  output: { template: Template },
  action: 'compute:sandboxes:read',
  on: object('sandbox-template', (input: { templateId: string }) => input.templateId),
  command: { path: ['sandbox-template', 'get'], positional: ['templateId'] },
  examples: [{ title: 'One template', input: { templateId: 'sbxt_python' } }],
});
