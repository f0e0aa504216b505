import type { Readable } from 'node:stream';
import { limits } from '../limits.ts';
import { invalidInput } from '../refusal.ts';
import { startFleet } from './fleet.ts';
import { groupsOf, simulatedNodesOf } from './spec.ts';

/** The first line; the stream stays open and flowing. */
function lineOf(input: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: string): void => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end === -1 && text.length <= limits.specBytesMax) return;
      input.off('data', read).resume();
      if (end === -1) reject(invalidInput('the specification is too long'));
      else resolve(text.slice(0, end));
    };
    input.setEncoding('utf8').on('data', read);
    input.once('end', () => reject(invalidInput('the specification ended before its line did')));
  });
}

/**
 * Simulated nodes of a parent process: one line of specification on `input`, which then stays open. Its end means that
 * the parent is gone, however it went, and the nodes go with it. Resolves when they have.
 */
export async function simulateFromInput(o: { input: Readable; urls: readonly string[]; stateDir: string; complain(text: string): void }): Promise<void> {
  const parentGone = new Promise<void>((resolve) => {
    o.input.once('end', resolve).once('error', resolve).once('close', resolve);
  });
  const nodes = groupsOf(await lineOf(o.input)).flatMap(simulatedNodesOf);
  const fleet = await Promise.race([startFleet({ ...o, nodes }), parentGone]);
  if (!fleet) return;
  await Promise.race([parentGone, fleet.ended]);
  fleet.stop();
}
