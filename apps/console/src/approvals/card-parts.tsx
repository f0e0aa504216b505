import type { Confirmation } from '@better-iam/client';
import type { ReactNode } from 'react';
import { agentWords, decideByText, ifApprovedText, repeatText } from './card-text.ts';
import { inertText } from './inert-text.ts';
import type { Standing } from './standing.ts';

const SOON_MS = 120_000;

/** What the resource's owner says of it: the one part of a card that is vouched for. */
export function Statement({ confirmation: c, level, titleId }: { confirmation: Confirmation; level: 3 | 4; titleId: string }) {
  const Title = `h${level}` as const;
  return (
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
  );
}

/** Action and resource, how long an approval and the request are good for, and how often it was asked. */
export function Terms({ confirmation: c, standing, now }: { confirmation: Confirmation; standing: Standing; now: number }) {
  const repeat = repeatText(c.repeat);
  return (
    <dl className="card-terms">
      <Term name="Action">
        <code>{inertText(c.action)}</code>
      </Term>
      <Term name="Resource">
        <code>{inertText(`${c.resource.type}/${c.resource.id}`)}</code>
      </Term>
      {standing === 'pending' ? (
        <>
          <Term name="Works once">{ifApprovedText(c, now)}</Term>
          <Term name="Decide within">
            <span className={c.expiresAt - now < SOON_MS ? 'card-soon' : undefined}>{decideByText(c, now)}</span>
          </Term>
        </>
      ) : null}
      {repeat ? <Term name="Repeated">{repeat}</Term> : null}
    </dl>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Plain text, whatever is in it: no links, no markup, set apart and last. */
export function AgentWords({ confirmation }: { confirmation: Confirmation }) {
  const words = agentWords(confirmation);
  if (words === undefined) return <p className="card-wordless">The agent gave no words.</p>;
  return (
    <figure className="card-words">
      <figcaption className="card-label">The agent’s own words, unchecked</figcaption>
      <blockquote dir="auto">{words}</blockquote>
    </figure>
  );
}
