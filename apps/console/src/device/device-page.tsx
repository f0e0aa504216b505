import { useEffect, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import FurtherStep from '../session/further-step.tsx';
import { type Step, stepAfter } from '../session/step.ts';
import { codeOf } from '../approvals/failure.ts';
import { CodeForm } from './code-form.tsx';
import { Decision } from './decision.tsx';
import { Done } from './done.tsx';
import { ProveForm } from './prove-form.tsx';

/** What waits under a code somebody typed. */
export interface Terminal {
  userCode: string;
  clientName: string;
}

type Stage =
  | { at: 'code' }
  | { at: 'decision'; terminal: Terminal }
  | { at: 'prove'; terminal: Terminal; approve: boolean }
  | { at: 'further'; terminal: Terminal; approve: boolean; step: Step }
  | { at: 'done'; text: string };

/**
 * `/device`: a terminal's code, typed by the person. Nothing of the address is read: a link can bring nobody further than an empty field
 * (iam.md §3.6).
 */
export default function DevicePage({ iam }: { iam: ConsoleIam }) {
  const [stage, setStage] = useState<Stage>({ at: 'code' });
  useEffect(() => {
    document.title = 'Sign in a terminal · Better Compute';
  }, []);

  const decide = async (terminal: Terminal, approve: boolean) => {
    try {
      await iam.api.auth.decideDevice({ userCode: terminal.userCode, approve });
      setStage({ at: 'done', text: approve ? 'The terminal is signed in as you.' : 'Refused. The terminal gets nothing.' });
    } catch (error) {
      if (codeOf(error) !== 'RECENT_AUTH_REQUIRED') throw error;
      setStage({ at: 'prove', terminal, approve });
    }
  };
  const proceed = async (stageNow: { terminal: Terminal; approve: boolean }, step: Step) => {
    if (step.at === 'in') await decide(stageNow.terminal, stageNow.approve);
    else if (step.at === 'password') setStage({ ...stageNow, at: 'prove' });
    else setStage({ ...stageNow, at: 'further', step });
  };

  switch (stage.at) {
    case 'code':
      return <CodeForm iam={iam} onFound={(terminal) => setStage({ at: 'decision', terminal })} />;
    case 'decision':
      return <Decision terminal={stage.terminal} onDecide={(approve) => decide(stage.terminal, approve)} />;
    case 'prove':
      return <ProveForm onSubmit={async (password) => await proceed(stage, stepAfter(await iam.api.auth.reauthenticate({ password })))} />;
    case 'further':
      return <FurtherStep iam={iam} step={stage.step} onStep={(step) => proceed(stage, step)} />;
    case 'done':
      return <Done text={stage.text} />;
  }
}
