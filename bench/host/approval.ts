import { quantile } from '../quantile.ts';
import type { Measured } from '../row.ts';
import { startOwnDev } from './dev.ts';
import { decideOne, type Decided, FILINGS_PER_AGENT, signIn } from './held-calls.ts';

const AGENTS = 60;
const POOL = 'pool_h100-fra';

/**
 * From the sending of a click. `decision-visible`: to the answer of the waiting call when the answer is no, which it gives as soon as it sees the decision.
 * `approved-to-placed`: when it is yes, so that it holds its GPUs by then. Server, and those who speak with it, in processes of their own.
 */
export async function* approval(): AsyncIterable<Measured> {
  const dev = await startOwnDev();
  try {
    const person = await signIn(dev);
    const [yes, no]: [Decided[], Decided[]] = [[], []];
    for (let n = 0; n < AGENTS; n++) {
      const agentToken = await person.addAgent(`agent-${n}`);
      // in turns, as more than two in a row that are refused are not put to the person any more
      for (let i = 0; i < FILINGS_PER_AGENT; i++) {
        const approve = i % 2 === 0;
        (approve ? yes : no).push(await decideOne(dev, person, { agentToken, poolId: POOL, approve }));
      }
    }
    yield* rowsOf('host.decision-visible', no, { must: { atMost: 50 }, goal: { atMost: 10 } });
    yield* rowsOf('host.approved-to-placed', yes, {});
    yield {
      id: 'host.click.p50',
      value: quantile(
        warm([...no, ...yes]).map(({ clickMs }) => clickMs),
        0.5,
      ),
      unit: 'ms',
    };
  } finally {
    await dev.end();
  }
}

/** Without the first, which compile the code. */
const warm = (decided: readonly Decided[]): Decided[] => decided.slice(FILINGS_PER_AGENT);

function* rowsOf(id: string, decided: readonly Decided[], bounds: Pick<Measured, 'must' | 'goal'>): Iterable<Measured> {
  const times = warm(decided).map(({ answeredMs }) => answeredMs);
  yield { id: `${id}.p99`, value: quantile(times, 0.99), unit: 'ms', ...bounds };
  yield { id: `${id}.p50`, value: quantile(times, 0.5), unit: 'ms' };
}
