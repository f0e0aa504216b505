import { Random } from '../random.ts';
import { broken } from './check.ts';
import { type Input, inputOf } from './mutate.ts';
import { createTarget } from './target.ts';

export interface Report {
  inputs: number;
  seed: number;
  /** How often each status came. */
  statuses: Record<number, number>;
  /** How often a tool reached compute. */
  ran: number;
  /** The first input that broke something. */
  finding?: { number: number; what: string; input: string };
}

const HANG_MS = 5_000;
const STATES_KEPT = 64;

/** Sends so many requests, one after the other, and stops at the first answer that breaks what must hold. */
export async function fuzzMcp(o: { inputs: number; seed: number; onProgress?: (done: number) => void }): Promise<Report> {
  const random = new Random(o.seed);
  const target = createTarget();
  const report: Report = { inputs: 0, seed: o.seed, statuses: {}, ran: 0 };
  const states: string[] = [];
  for (let number = 0; number < o.inputs; number++) {
    const input = inputOf(random, states);
    const answered = await answerOf(target.send, input);
    if (answered === 'unsendable') continue;
    report.inputs++;
    const calls = target.takeCalls();
    const what = typeof answered === 'string' ? answered : broken(answered.status, answered.text, calls, target.inFlight());
    if (what !== undefined) return { ...report, finding: { number, what, input: shown(input) } };
    if (typeof answered === 'string') continue;
    report.statuses[answered.status] = (report.statuses[answered.status] ?? 0) + 1;
    if (calls.length > 0) report.ran++;
    const state = /"requestState":"([^"]+)"/.exec(answered.text)?.[1];
    if (state !== undefined) states[random.below(STATES_KEPT)] ??= state;
    if (number % 10_000 === 9_999) o.onProgress?.(number + 1);
  }
  return report;
}

/** `unsendable`: no request can carry these headers. A text: what went wrong. */
async function answerOf(send: (input: Input) => Promise<Response>, input: Input): Promise<{ status: number; text: string } | string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, HANG_MS, 'no answer');
  });
  const whole = async () => {
    let sent: Promise<Response>;
    try {
      sent = send(input);
    } catch {
      return 'unsendable';
    }
    const response = await sent;
    return { status: response.status, text: await response.text() };
  };
  try {
    return await Promise.race([whole(), late]);
  } catch (error) {
    return `rejects: ${(error as Error).stack}`;
  } finally {
    clearTimeout(timer);
  }
}

const shown = ({ body, ...rest }: Input): string => JSON.stringify({ ...rest, body: body === undefined ? undefined : Buffer.from(body).toString('latin1') });
