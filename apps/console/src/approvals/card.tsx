import { AgentWords, Statement, Terms } from './card-parts.tsx';
import { Decision, type DecisionProps } from './decision.tsx';
import { inertText } from './inert-text.ts';
import { Left } from './left.tsx';
import { standingLabels, standingOf } from './standing.ts';

export interface CardProps extends Omit<DecisionProps, 'standing'> {
  /** A heading's level, so that cards nest where they stand. */
  level: 3 | 4;
}

export const cardId = (confirmationId: string): string => `card-${confirmationId}`;

/** One request in the order of iam.md §17.8: who, what by the system's word, what is left now, the action, until when, repeats, and last the agent's own words. */
export function Card({ level, ...rest }: CardProps) {
  const { entry, now, meId } = rest;
  const c = entry.confirmation;
  const standing = standingOf(c, now);
  const titleId = `${cardId(c.id)}-title`;
  return (
    <article className={`card card-${standing}`} id={cardId(c.id)} data-confirmation={c.id} tabIndex={-1} aria-labelledby={titleId}>
      <header className="card-who">
        <p>
          <strong>{inertText(c.agent.name)}</strong>{' '}
          <span className="quiet">
            {c.agent.sponsorName ? `sponsored by ${inertText(c.agent.sponsorName)}` : 'no sponsor named'} ·{' '}
            {c.agent.model ? `model ${inertText(c.agent.model)}` : 'no model named'}
          </span>
        </p>
        <span className={`badge badge-${standing}`}>{standingLabels[standing]}</span>
      </header>
      {c.subjectId === meId ? null : <p className="card-deputy">You decide for {inertText(c.subjectName ?? 'another person')}, as their deputy.</p>}
      <Statement confirmation={c} level={level} titleId={titleId} />
      <Left confirmation={c} standing={standing} now={now} />
      <Terms confirmation={c} standing={standing} now={now} />
      <AgentWords confirmation={c} />
      <Decision standing={standing} {...rest} />
    </article>
  );
}
