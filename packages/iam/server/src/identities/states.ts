import type { Identity } from '@better-iam/contract';
import { refuse } from '../refuse.ts';

type Status = Identity['status'];

const transitions: Readonly<Record<'disable' | 'enable' | 'delete', { from: readonly Status[]; to: Status }>> = {
  disable: { from: ['active'], to: 'disabled' },
  enable: { from: ['disabled'], to: 'active' },
  delete: { from: ['active', 'disabled'], to: 'deleted' },
};

/** The state after `verb`; `INVALID_TRANSITION` where there is no way from `status`. */
export function after(verb: keyof typeof transitions, status: Status): Status {
  const { from, to } = transitions[verb];
  if (!from.includes(status)) throw refuse('INVALID_TRANSITION', `it is ${status}`);
  return to;
}
