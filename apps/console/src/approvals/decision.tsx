import { type Ref, useEffect, useRef } from 'react';
import { CardButton } from './card-button.tsx';
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

/** The foot of a card: the buttons while it waits, what became of it afterwards. */
export function Decision(props: DecisionProps) {
  const { standing, underWay, failure, onPutAside } = props;
  const settled = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    // the button that had the focus is gone, and the focus with it
    if (standing !== 'pending' && hasFocus.current) settled.current?.focus();
  }, [standing]);
  const summary = inertText(props.entry.confirmation.summary);
  const isClosed = standing !== 'pending' || (failure?.isFinal === true && underWay === undefined);

  return (
    <footer className="card-foot" onFocus={() => (hasFocus.current = true)} onBlur={() => (hasFocus.current = false)}>
      {standing === 'pending' ? <Open {...props} /> : <Settled {...props} ref={settled} />}
      {isClosed && onPutAside ? <CardButton text="Dismiss" summary={summary} onPress={onPutAside} /> : null}
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
  const rest = { summary: inertText(entry.confirmation.summary), isBusy: underWay !== undefined };
  return (
    <div className="card-buttons">
      <CardButton text={underWay === true ? 'Approving…' : 'Approve once'} isMain onPress={() => onDecide(true)} {...rest} />
      <CardButton text={underWay === false ? 'Rejecting…' : 'Reject'} onPress={() => onDecide(false)} {...rest} />
    </div>
  );
}

/** Asked for by a key: one stray key never decides. */
function SecondStep({ entry, approve, underWay, onDecide, onCancel }: DecisionProps & { approve: boolean }) {
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), [approve]);
  const verb = approve ? 'approve' : 'reject';
  const summary = inertText(entry.confirmation.summary);
  return (
    <div className="card-buttons" role="group" aria-label={`Really ${verb} this request?`} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <span className="card-question">{approve ? 'Approve this request, once?' : 'Reject this request?'}</span>
      <CardButton
        ref={yes}
        text={underWay === undefined ? `Yes, ${verb}` : 'Sending…'}
        isMain
        isBusy={underWay !== undefined}
        summary={summary}
        onPress={() => onDecide(approve)}
      />
      <CardButton text="Cancel" summary={summary} onPress={onCancel} />
    </div>
  );
}

function ReadAgain({ entry, onReadAgain }: DecisionProps) {
  return (
    <div className="card-buttons">
      <p className="notice notice-bad" role="alert">
        This request has changed while it lay here. Read it again before you decide.
      </p>
      <CardButton text="I have read it again" summary={inertText(entry.confirmation.summary)} onPress={onReadAgain} />
    </div>
  );
}
