import { createHash } from 'node:crypto';
import { canonicalJson, type Operation } from '@kit/operation';
import type { Card } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';

/** Longest fact, and how many, that a confirmation takes (iam.md §9.2). */
const FACT_MAX = 256;
const FACTS_MAX = 16;

/** Of what has no card of its own: what is done to which object, and every other argument under its name. */
export function plainCard({ summary }: Operation, id: string, canonical: JsonValue): Card {
  const rest = Object.entries(canonical as Record<string, JsonValue>).filter(([, value]) => value !== id);
  const whole = rest.map(([name, value]): Card['facts'][number] => ({ label: name, value: shown(value) }));
  return { summary: `${summary} (${id})`, facts: whole.length > FACTS_MAX ? [{ label: 'input', value: digest(canonical) }] : whole };
}

/** Nothing is cut short: what is too long to be read stands there as its digest. */
const shown = (value: JsonValue): string => {
  const text = JSON.stringify(value);
  return text.length <= FACT_MAX ? text : digest(value);
};

const digest = (value: JsonValue): string => `SHA-256 ${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
