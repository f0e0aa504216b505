import fc from 'fast-check';
import type { ContextFacts, ContextValue } from '../policy/context.ts';
import { type OperatorName, operatorNames } from '../policy/document.ts';
import { person } from './facts.ts';

// Small alphabets and few keys, so that statements meet requests often and narrowly miss them often.
const character = fc.constantFrom('a', 'b', 'A', '/', '*', '?', '😀', 'É', 'é');
const text = (maxLength: number) => fc.array(character, { maxLength }).map((characters) => characters.join(''));
const variable = fc.constantFrom('${principal.id}', '${resource.name}', '${resource.gone}', '${app.x}', '${resource.n}', '${principal.agentId}');
const templated = fc
  .array(fc.oneof({ arbitrary: character, weight: 5 }, { arbitrary: fc.constant('*'), weight: 2 }, { arbitrary: variable, weight: 1 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const address = fc.constantFrom('10.0.0.1', '10.0.0.2', '::ffff:10.0.0.1', '::ffff:a00:2', '2001:db8::1', '2001:db8::', '::1');
const block = fc.oneof(address, fc.constantFrom('10.0.0.0/31', '10.0.0.0/8', '::ffff:10.0.0.0/127', '::/0', '2001:db8::/32', '0.0.0.0/0', '::ffff:0:0/95'));
const date = fc.constantFrom(
  '2026-06-15T12:00:00Z',
  '2026-06-15T12:00:00.000Z',
  '2026-06-15T13:00+01:00',
  '2026-06-15T12:00:01Z',
  '2025-01-01T00:00Z',
  '2027-01-01T00:00:00-05:00',
);
const tags = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });

const anyValue: fc.Arbitrary<ContextValue> = fc.oneof({ arbitrary: text(3), weight: 5 }, fc.integer({ min: 0, max: 3 }), fc.boolean(), tags, address, date);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
const present = <Facts extends object>(facts: Facts) => Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

const principal = fc
  .record({ id: text(3), sessionKind: fc.constantFrom('user', 'delegated', 'api-key'), mfa: fc.boolean(), agentId: maybe(text(2)), groups: tags })
  .map((facts) => ({ ...person, ...present(facts) }) as ContextFacts['principal']);
const attributes = fc
  .record({
    name: maybe(anyValue),
    n: maybe(fc.oneof(fc.integer({ min: 0, max: 3 }), anyValue)),
    flag: maybe(fc.boolean()),
    tags: maybe(tags),
    at: maybe(fc.oneof(date, text(2))),
    ip: maybe(fc.oneof(address, text(2))),
  })
  .map(present) as fc.Arbitrary<Record<string, ContextValue>>;
const resource = fc
  .record({ type: fc.constantFrom('box', 'box-x', 'jar', 'made-up'), id: text(4), ownerId: maybe(text(2)), attributes })
  .map((facts) => ({ tenantId: 'tnt_1', ...present(facts) }) as ContextFacts['resource']);
const request = maybe(address).map((sourceIp) => ({ time: Date.UTC(2026, 5, 15, 12), ...(sourceIp === undefined ? {} : { sourceIp }) }));

export const askArbitrary = fc.record({
  action: fc.constantFrom('app:box:read', 'app:box:write', 'app:jar:read', 'app:box:none'),
  principal,
  resource,
  request,
  extra: maybe(anyValue).map((value) => (value === undefined ? {} : { 'app.x': value })),
});

const keysFor = (operator: OperatorName): fc.Arbitrary<string> => {
  const any = fc.constantFrom('resource.name', 'resource.n', 'app.x', 'resource.gone');
  if (operator === 'Bool') return fc.oneof(fc.constantFrom('principal.mfa', 'principal.delegated', 'resource.flag'), any);
  if (operator.startsWith('Numeric')) return fc.oneof(fc.constant('resource.n'), any);
  if (operator.startsWith('Date')) return fc.oneof(fc.constantFrom('request.time', 'resource.at'), any);
  if (operator.endsWith('IpAddress')) return fc.oneof(fc.constantFrom('request.sourceIp', 'resource.ip'), any);
  if (operator.startsWith('Array')) return fc.oneof(fc.constantFrom('principal.groups', 'resource.tags'), any);
  return fc.oneof(fc.constantFrom('principal.id', 'principal.agentId', 'resource.ownerId', 'principal.sessionKind'), any);
};

const valueFor = (operator: OperatorName): fc.Arbitrary<string | number | boolean> => {
  if (operator === 'Bool' || operator === 'Exists') return fc.boolean();
  if (operator.startsWith('Numeric')) return fc.integer({ min: 0, max: 3 });
  if (operator.startsWith('Date'))
    return fc.oneof({ arbitrary: date, weight: 4 }, { arbitrary: fc.constantFrom('${resource.at}', '${resource.gone}'), weight: 1 });
  if (operator.endsWith('IpAddress'))
    return fc.oneof({ arbitrary: block, weight: 4 }, { arbitrary: fc.constantFrom('${resource.ip}', '${resource.gone}', '${resource.name}'), weight: 1 });
  if (operator.startsWith('Array')) return fc.oneof(fc.constantFrom('a', 'b', 'c'), variable);
  return fc.oneof(text(2), templated);
};

const condition = fc.constantFrom(...operatorNames).chain((operator) => {
  const values = valueFor(operator);
  return fc
    .dictionary(keysFor(operator), fc.oneof(values, fc.array(values, { minLength: 1, maxLength: 3 })), { minKeys: 1, maxKeys: 2, noNullPrototype: true })
    .map((keys) => [operator, keys] as const);
});
const conditions = fc.array(condition, { maxLength: 2 }).map((list) => Object.fromEntries(list));

const actionPattern = fc.constantFrom('*', 'app:*', 'app:box:read', 'app:box:write', 'app:jar:read', 'app:?ox:*', '*:read', 'a*p:*x:w*e');
const resourcePattern = fc.oneof(
  fc.constantFrom('*', 'box/*', 'jar/*', 'box*', '*x/*', 'b?x/*', 'made-up/*', '*/a', '?*'),
  templated.map((pattern) => `box/${pattern}`),
  templated.map((pattern) => `*/${pattern}`),
);

const statement = fc.record({
  effect: fc.oneof({ arbitrary: fc.constant('allow'), weight: 3 }, { arbitrary: fc.constant('deny'), weight: 1 }),
  actions: fc.array(actionPattern, { minLength: 1, maxLength: 2 }),
  resources: fc.array(resourcePattern, { minLength: 1, maxLength: 2 }),
  conditions,
});
export const documentArbitrary = fc.array(statement, { minLength: 1, maxLength: 5 }).map((statements) => ({ version: 1, statements }));
export const confirmArbitrary = fc.array(fc.constantFrom('*', 'app:box:write', 'app:jar:*', 'zzz', '?pp:box:w*'), { maxLength: 2 });
