import { type MouseEvent, type Ref, useEffect, useRef } from 'react';
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
  /** Takes a card that can no longer be decided off the desk; absent where it stands alone. */
  onPutAside?: (() => void) | undefined;
}

/** The second click of a double click must not decide whatever has moved under the pointer. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail <= 1) act();
};

/** The foot of a card: the buttons while it waits, what became of it afterwards. */
export function Decision(props: DecisionProps) {
  const { standing, underWay, failure, onPutAside } = props;
  const settled = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    // the button that had the focus is gone, and the focus with it
    if (standing !== 'pending' && hasFocus.current) settled.current?.focus();
  }, [standing]);
  const isClosed = standing !== 'pending' || (failure?.isFinal === true && underWay === undefined);

  return (
    <footer className="card-foot" onFocus={() => (hasFocus.current = true)} onBlur={() => (hasFocus.current = false)}>
      {standing === 'pending' ? <Open {...props} /> : <Settled {...props} ref={settled} />}
      {isClosed && onPutAside ? (
        <button type="button" className="button" onClick={once(onPutAside)}>
          Dismiss<span className="unseen">: {inertText(props.entry.confirmation.summary)}</span>
        </button>
      ) : null}
    </footer>
  );
}

function Settled({ entry, standing, now, meId, failure, ref }: DecisionProps & { ref: Ref<HTMLDivElement> }) {
  const isElsewhere = entry.isOnDesk && !entry.isDecidedHere && entry.confirmation.status !== 'pending';
  return (
    <div ref={ref} tabIndex={-1} className={`outcome outcome-${standing}`}>
      {failure && !entry.isDecidedHere ? <p>{failure.text}</p> : null}
      <p>
        {isElsewhere ? 'Decided elsewhere, not on this page. ' : null}
        {outcomeText(entry.confirmation, standing, { now, meId })}
      </p>
    </div>
  );
}

function Open(props: DecisionProps) {
  const { entry, underWay, failure, step } = props;
  const told = underWay === undefined ? failure : undefined;
  return (
    <>
      {told ? (
        <p className="notice notice-bad" role="alert">
          {told.text}
        </p>
      ) : null}
      {told?.isFinal ? null : entry.hasChanged ? (
        <ReadAgain {...props} />
      ) : step === undefined ? (
        <Buttons {...props} />
      ) : (
        <SecondStep {...props} approve={step} />
      )}
    </>
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
