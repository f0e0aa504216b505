import { ratePerSecond } from '../callers.ts';
import { joinDeployment } from '../deployment/deployment.ts';
import { creating } from './create.ts';
import type { Role } from './helper.ts';
import { creatingOverHttp } from './over-http.ts';

let callers = 0;
let create: (caller: number) => Promise<unknown>;
let close: () => Promise<void> = async () => {};

async function take(message: { role: Role } | { times: number }): Promise<void> {
  if ('times' in message) {
    process.send!({ rate: await ratePerSecond(callers, message.times, create) });
    return;
  }
  const { role } = message;
  callers = role.keys.length;
  if (role.kind === 'generator') create = creatingOverHttp(role.url, role.keys, role.poolId);
  else {
    const plane = await joinDeployment(role.connectionString);
    close = plane.close;
    create = creating(plane.compute, role.keys, role.poolId);
  }
  process.send!({ rate: 0 });
}

process.on('message', (message: Parameters<typeof take>[0]) => void take(message));
process.on('disconnect', () => void close().then(() => process.exit(0)));
