import type { Entry } from './inbox.ts';
import { agentWords, decideByText, ifApprovedText, repeatText } from './card-text.ts';
import { Decision, type DecisionProps } from './decision.tsx';
import { inertText } from './inert-text.ts';
import { standingLabels, standingOf } from './standing.ts';

export interface CardProps extends Omit<DecisionProps, 'standing'> {
  entry: Entry;
  /** A heading's level, so that cards nest where they stand. */
  level: 3 | 4;
}

export const cardId = (confirmationId: string): string => `card-${confirmationId}`;

/** One request in the order of iam.md §17.8: who, what by the system's word, the action, until when, repeats, and last the agent's own words. */
export function Card({ level, ...rest }: CardProps) {
  const { entry, now, meId } = rest;
  const c = entry.confirmation;
  const standing = standingOf(c, now);
  const Title = `h${level}` as const;
  const titleId = `${cardId(c.id)}-title`;
  const repeat = repeatText(c.repeat);
  const words = agentWords(c);
  return (
    <article className={`card card-${standing}`} id={cardId(c.id)} data-confirmation={c.id} tabIndex={-1} aria-labelledby={titleId}>
      <header className="card-who">
        <p>
          <strong>{inertText(c.agent.name)}</strong>{' '}
          <span className="quiet">{c.agent.sponsorName ? `sponsored by ${inertText(c.agent.sponsorName)}` : 'no sponsor named'}</span>
          <span className="quiet"> · {c.agent.model ? `model ${inertText(c.agent.model)}` : 'no model named'}</span>
        </p>
        <span className={`badge badge-${standing}`}>{standingLabels[standing]}</span>
      </header>
      {c.subjectId === meId ? null : <p className="card-deputy">You decide for {inertText(c.subjectName ?? 'another person')}, as their deputy.</p>}
      <section className="card-statement">
        <p className="card-label">The system’s statement</p>
        <Title id={titleId}>{inertText(c.summary)}</Title>
        {c.facts && c.facts.length > 0 ? (
          <dl>
            {c.facts.map((fact, at) => (
              <div key={`${at} ${fact.label}`}>
                <dt>{inertText(fact.label)}</dt>
                <dd>{inertText(fact.value)}</dd>
              </div>
            ))}
          </dl>
        ) : null}
      </section>
      <dl className="card-terms">
        <div>
          <dt>Action</dt>
          <dd>
            <code>{c.action}</code>
          </dd>
        </div>
        <div>
          <dt>Resource</dt>
          <dd>
            <code>{`${c.resource.type}/${inertText(c.resource.id)}`}</code>
          </dd>
        </div>
        {standing === 'pending' ? (
          <>
            <div>
              <dt>Works once</dt>
              <dd>{ifApprovedText(c, now)}</dd>
            </div>
            <div>
              <dt>Decide within</dt>
              <dd className={c.expiresAt - now < 120_000 ? 'card-soon' : undefined}>{decideByText(c, now)}</dd>
            </div>
          </>
        ) : null}
        {repeat ? (
          <div>
            <dt>Repeated</dt>
            <dd>{repeat}</dd>
          </div>
        ) : null}
      </dl>
      {words === undefined ? (
        <p className="card-wordless">The agent gave no words.</p>
      ) : (
        <figure className="card-words">
          <figcaption className="card-label">The agent’s own words, unchecked</figcaption>
          <blockquote dir="auto">{words}</blockquote>
        </figure>
      )}
      <Decision standing={standing} {...rest} />
    </article>
  );
}
