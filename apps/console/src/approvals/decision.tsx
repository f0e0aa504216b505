import { type MouseEvent, useEffect, useRef } from 'react';
import { outcomeText } from './card-text.ts';
import type { Failure } from './failure.ts';
import type { Entry } from './inbox.ts';
import { inertText } from './inert-text.ts';
import type { Standing } from './standing.ts';

export interface DecisionProps {
  entry: Entry;
  standing: Standing;
  now: number;
  meId: string;
  /** On its way to the server; undefined when nothing is. */
  underWay: boolean | undefined;
  failure: Failure | undefined;
  /** A key asked for this decision, and it waits for a second, deliberate one. */
  step: boolean | undefined;
  onDecide: (approve: boolean) => void;
  onCancel: () => void;
  onReadAgain: () => void;
  /** Takes a settled card off the desk; absent where it stands alone. */
  onPutAside?: (() => void) | undefined;
}

/** The second click of a double click must not decide whatever has moved under the pointer. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail <= 1) act();
};

/** The foot of a card: the buttons while it waits, what became of it afterwards. */
export function Decision(props: DecisionProps) {
  const { entry, standing, now, meId, underWay, failure, step, onPutAside } = props;
  const settled = useRef<HTMLDivElement>(null);
  const wasDecidedHere = useRef(entry.isDecidedHere);
  useEffect(() => {
    // the buttons that had the focus are gone
    if (entry.isDecidedHere && !wasDecidedHere.current) settled.current?.focus();
    wasDecidedHere.current = entry.isDecidedHere;
  }, [entry.isDecidedHere]);

  const isElsewhere = entry.isOnDesk && !entry.isDecidedHere && entry.confirmation.status !== 'pending';
  if (standing !== 'pending')
    return (
      <footer className="card-foot">
        <div ref={settled} tabIndex={-1} className={`outcome outcome-${standing}`}>
          {failure && !entry.isDecidedHere ? <p>{failure.text}</p> : null}
          <p>
            {isElsewhere ? 'Decided elsewhere, not on this page. ' : null}
            {outcomeText(entry.confirmation, standing, { now, meId })}
          </p>
        </div>
        {onPutAside ? (
          <button type="button" className="button" onClick={once(onPutAside)}>
            Put aside<span className="unseen">: {inertText(entry.confirmation.summary)}</span>
          </button>
        ) : null}
      </footer>
    );
  return (
    <footer className="card-foot">
      {failure && underWay === undefined ? (
        <p className="notice notice-bad" role="alert">
          {failure.text}
        </p>
      ) : null}
      {failure?.isFinal && underWay === undefined ? null : entry.hasChanged ? <ReadAgain {...props} /> : step === undefined ? <Buttons {...props} /> : <SecondStep {...props} approve={step} />}
    </footer>
  );
}

function Buttons({ entry, underWay, onDecide }: DecisionProps) {
  const summary = inertText(entry.confirmation.summary);
  const isBusy = underWay !== undefined;
  return (
    <div className="card-buttons">
      <button type="button" className="button button-main" aria-disabled={isBusy} onClick={once(() => onDecide(true))}>
        {underWay === true ? 'Approving…' : 'Approve once'}
        <span className="unseen">: {summary}</span>
      </button>
      <button type="button" className="button" aria-disabled={isBusy} onClick={once(() => onDecide(false))}>
        {underWay === false ? 'Rejecting…' : 'Reject'}
        <span className="unseen">: {summary}</span>
      </button>
    </div>
  );
}

/** Asked for by a key: one stray key never decides. */
function SecondStep({ entry, approve, underWay, onDecide, onCancel }: DecisionProps & { approve: boolean }) {
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), [approve]);
  const verb = approve ? 'approve' : 'reject';
  return (
    <div className="card-buttons" role="group" aria-label={`Really ${verb} this request?`} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <span className="card-question">{approve ? 'Approve this request, once?' : 'Reject this request?'}</span>
      <button ref={yes} type="button" className="button button-main" aria-disabled={underWay !== undefined} onClick={once(() => onDecide(approve))}>
        {underWay === undefined ? `Yes, ${verb}` : 'Sending…'}
        <span className="unseen">: {inertText(entry.confirmation.summary)}</span>
      </button>
      <button type="button" className="button" onClick={once(onCancel)}>
        Cancel
      </button>
    </div>
  );
}

function ReadAgain({ onReadAgain }: DecisionProps) {
  return (
    <div className="card-buttons">
      <p className="notice notice-bad" role="alert">
        This request has changed while it lay here. Read it again before you decide.
      </p>
      <button type="button" className="button" onClick={once(onReadAgain)}>
        I have read it again
      </button>
    </div>
  );
}
