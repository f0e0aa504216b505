import { Connection } from './connection.ts';

export interface Load {
  port: number;
  bytes: string;
  connections: number;
  seconds: number;
  /** Calls begun a second, whatever comes back; without it each connection begins its next call when the last is answered. */
  perSecond?: number;
}

export interface Latencies {
  calls: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Entry of the generator's process: measures each load it is sent. */
process.on('message', (load: Load) => {
  void measured(load).then(
    (latencies) => process.send?.({ latencies }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function measured(load: Load): Promise<Latencies> {
  const connections = await Promise.all(Array.from({ length: load.connections }, () => Connection.open(load.port)));
  const bytes = Buffer.from(load.bytes, 'latin1');
  const began = performance.now();
  try {
    const times = await (load.perSecond === undefined
      ? closed(connections, bytes, began + load.seconds * 1000)
      : open(connections, bytes, load, load.perSecond));
    const seconds = (performance.now() - began) / 1000;
    times.sort((a, b) => a - b);
    const at = (q: number) => times[Math.floor(q * (times.length - 1))] ?? Number.NaN;
    return { calls: times.length, perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function closed(connections: readonly Connection[], bytes: Buffer, until: number): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = performance.now(); now < until; ) {
        await connection.call(bytes);
        const then = performance.now();
        times.push(then - now);
        now = then;
      }
    }),
  );
  return times;
}

/** A call's time counts from when it was due, so a server that falls behind is not spared what waited for it. */
function open(connections: readonly Connection[], bytes: Buffer, load: Load, perSecond: number): Promise<number[]> {
  const total = Math.floor(perSecond * load.seconds);
  const idle = [...connections];
  const began = performance.now();
  const dueAt = (n: number) => began + (1000 * n) / perSecond;
  const times: number[] = [];
  let begun = 0;
  return new Promise((resolve, reject) => {
    const begin = (connection: Connection, due: number) => {
      connection.call(bytes).then(() => {
        times.push(performance.now() - due);
        idle.push(connection);
        if (times.length === total) resolve(times);
        else goOn();
      }, reject);
    };
    const goOn = () => {
      while (begun < total && idle.length > 0 && dueAt(begun) <= performance.now()) begin(idle.pop()!, dueAt(begun++));
    };
    const timer = setInterval(() => {
      goOn();
      if (begun === total) clearInterval(timer);
    }, 1);
  });
}
