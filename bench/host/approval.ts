import { quantile } from '../quantile.ts';
import type { Measured } from '../row.ts';
import { startOwnDev } from './dev.ts';
import { decideOne, type Decided, FILINGS_PER_AGENT, signIn } from './held-calls.ts';

const AGENTS = 40;
const POOL = 'pool_h100-fra';

/**
 * From the sending of a click to the answer of the call that waits for it, which has then seen the decision and holds its GPUs: more than the contract
 * bounds, as a person would time it. Server, and those who speak with it, in processes of their own.
 */
export async function* approval(): AsyncIterable<Measured> {
  const dev = await startOwnDev();
  try {
    const person = await signIn(dev);
    const decided: Decided[] = [];
    for (let n = 0; n < AGENTS; n++) {
      const agentToken = await person.addAgent(`agent-${n}`);
      for (let i = 0; i < FILINGS_PER_AGENT; i++) decided.push(await decideOne(dev, person, agentToken, POOL));
    }
    // the first of them compile the code
    const warm = decided.slice(FILINGS_PER_AGENT);
    const visible = warm.map((one) => one.visibleMs);
    yield { id: 'host.approval.p99', value: quantile(visible, 0.99), unit: 'ms', must: { atMost: 50 }, goal: { atMost: 10 } };
    yield { id: 'host.approval.p50', value: quantile(visible, 0.5), unit: 'ms' };
    const click = warm.map((one) => one.clickMs);
    yield { id: 'host.approval.click.p50', value: quantile(click, 0.5), unit: 'ms' };
  } finally {
    await dev.end();
  }
}
