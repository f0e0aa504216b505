import type { Finding } from '../findings.ts';

/** `error`: keeps real clients out. `warning`: keeps some out, or lets in what should stay out. */
export interface EndpointFinding extends Finding {
  /** What to change, where something is wrong. */
  fix?: string;
}

export const fine = (code: string, text: string): EndpointFinding => ({ level: 'ok', code, text });
export const wrong = (code: string, text: string, fix: string): EndpointFinding => ({ level: 'error', code, text, fix });
export const doubtful = (code: string, text: string, fix: string): EndpointFinding => ({ level: 'warning', code, text, fix });

/** One thing that either holds or is a finding. */
export const expected = (holds: boolean, good: EndpointFinding, bad: EndpointFinding): EndpointFinding => (holds ? good : bad);
