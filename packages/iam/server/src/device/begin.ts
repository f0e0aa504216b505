import type { InputOf, OutputOf } from '@kit/operation';
import { countAttempt } from '../attempts.ts';
import type { Transport } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { insertDevice } from './store.ts';

type BeginDevice = OperationOf<'auth.beginDevice'>;

/** Nobody yet: a code that waits ten minutes for a person (iam.md §3.6). */
export async function beginDevice(plane: Plane, input: InputOf<BeginDevice>, transport: Transport): Promise<OutputOf<BeginDevice>> {
  // by address where one is vouched for: one count for everybody would let anybody use it up
  if (transport.clientIp !== undefined) await countAttempt(plane, `device|${transport.clientIp}`, limits.devicesPerWindow);
  const { secret: deviceCode, hash: deviceHash } = plane.newSecret();
  const userCode = plane.newSpokenCode(limits.userCodeGroups);
  const expiresAt = await insertDevice(plane, plane.db, { deviceHash, userCode, clientName: input.clientName });
  return { deviceCode, userCode, verificationUrl: `${plane.origin}/device`, expiresAt, intervalSeconds: limits.devicePollSeconds };
}
