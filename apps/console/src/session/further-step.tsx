import type { ConsoleIam } from '../iam.ts';
import { CodeStep } from './code-step.tsx';
import { EnrolStep } from './enrol-step.tsx';
import { ResetStep } from './reset-step.tsx';
import type { Step } from './step.ts';

interface FurtherStepProps {
  iam: ConsoleIam;
  step: Step;
  onStep: (next: Step) => Promise<void>;
}

export default function FurtherStep({ iam, step, onStep }: FurtherStepProps) {
  switch (step.at) {
    case 'reset':
      return <ResetStep iam={iam} onStep={onStep} />;
    case 'code':
      return <CodeStep iam={iam} challenge={step.challenge} onStep={onStep} />;
    case 'enrol':
      return <EnrolStep iam={iam} challenge={step.challenge} onStep={onStep} />;
    default:
      return null;
  }
}
