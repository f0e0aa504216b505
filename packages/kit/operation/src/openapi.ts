import { actionsOf, type Operation } from './operation.ts';
import { pathOf, type Service } from './service.ts';
import { jsonSchemaOf } from './tool.ts';

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, retryAfterMs: { type: 'integer' }, details: { type: 'object' } },
    },
  },
};

function operationObject(s: Service, op: Operation): Record<string, unknown> {
  const answer = op.events
    ? { 'text/event-stream': { schema: jsonSchemaOf(op.events, 'output') } }
    : { 'application/json': { schema: { type: 'object', required: ['data'], properties: { data: jsonSchemaOf(op.output, 'output') } } } };
  const byStatus = new Map<number, string[]>();
  for (const code of op.errors) byStatus.set(s.codes[code]!, [...(byStatus.get(s.codes[code]!) ?? []), code]);
  const refusals = [...byStatus].map(
    ([status, codes]) => [String(status), { description: codes.join(', '), content: { 'application/json': { schema: errorSchema } } }] as const,
  );
  return {
    operationId: op.id,
    summary: op.summary,
    tags: [op.id.split('.')[0]],
    ...(actionsOf(op).length > 0 ? { 'x-action': op.action ?? actionsOf(op) } : {}),
    'x-effect': op.effect,
    security: op.isPublic ? [] : [{ bearer: [] }],
    requestBody: {
      content: {
        'application/json': {
          schema: jsonSchemaOf(op.input, 'input'),
          ...(op.examples.length > 0 ? { examples: Object.fromEntries(op.examples.map((e) => [e.title, { value: e.input }])) } : {}),
        },
      },
    },
    responses: {
      '200': { description: 'The answer.', content: answer },
      ...Object.fromEntries(refusals),
      default: { description: 'A refusal; branch on error.code.', content: { 'application/json': { schema: errorSchema } } },
    },
  };
}

/** OpenAPI 3.1 of a service, from its operations alone. */
export function openApiOf(s: Service, o: { title: string; version: string }): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: { title: o.title, version: o.version },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(s.operations.map((op) => [pathOf(s, op), { post: operationObject(s, op) }])),
  };
}
