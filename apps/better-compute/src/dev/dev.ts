import { resolve } from 'node:path';
import { invalidConfig } from '../config/invalid-config.ts';
import type { LoadedConfig } from '../config/load.ts';
import { isLoopback } from '../config/options.ts';
import { openStore } from '../host/database.ts';
import { createLog } from '../host/log.ts';
import { startPlane, type Plane } from '../host/plane.ts';
import { secretOf } from '../host/secret.ts';
import { takeFolder } from './lock.ts';
import { startOver } from './start-over.ts';
import { DEMO_NODES } from './fleet.ts';
import { nodesReady } from './nodes-ready.ts';
import { agentSession, personSession } from './session.ts';
import { shippedHost } from './shipped-config.ts';
import { startSimulatedNodes } from './simulate.ts';
import { snippetsOf, welcome, type Snippets } from './snippets.ts';
import { openWorld } from './world.ts';
import type { World } from './world-file.ts';

const NODES_READY_MS = 10_000;

export interface DevServer {
  plane: Plane;
  world: World;
  snippets: Snippets;
  agentToken: string;
  welcome: string;
  stop(): Promise<void>;
}

/** `better-compute dev`: the whole product on one machine, loopback only, with a demo world (product.md §4). */
export async function startDev(config: LoadedConfig, o: { isFresh: boolean; hasNodes?: boolean }): Promise<DevServer> {
  const started = performance.now();
  const { options } = config;
  if (!isLoopback(options.listen.host))
    throw invalidConfig(`dev listens on loopback only, not ${options.listen.host}: use serve for anything else`, { path: 'listen.host' });
  const dataDir = resolve(options.dataDir);
  const folder = takeFolder(dataDir);
  try {
    if (o.isFresh) await startOver(dataDir);
    const database = config.iam?.store ?? (await openStore(options, { mayEmbed: true }));
    const log = createLog({ ...options.log, level: config.sources['log.level'] ? options.log.level : 'warn' });
    const plane = await startPlane({
      options,
      database,
      secret: secretOf(options, { mayMake: true }),
      log,
      mayMovePort: true,
      ...(config.iam ? { iam: config.iam } : {}),
    }).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    folder.tell(plane.url);
    const { world, isNew } = await openWorld(plane, dataDir);
    await plane.mount(config.host ?? shippedHost({ publicUrl: plane.publicUrl, demoTenantId: world.demo.tenantId, options }), config.file);
    plane.open();
    const session = await personSession(dataDir, world, { url: plane.publicUrl, fetch: (request) => plane.iam.handler(request) });
    const nodes = o.hasNodes === false ? undefined : await startSimulatedNodes(plane, session, dataDir);
    if (nodes) await nodesReady(plane, session, { count: DEMO_NODES, limitMs: NODES_READY_MS });
    const { token, expiresAt } = await agentSession(dataDir, world);
    const snippets = snippetsOf(world, token);
    return {
      plane,
      world,
      snippets,
      agentToken: token,
      welcome: welcome(world, snippets, { isNew, expiresAt, seconds: ((performance.now() - started) / 1000).toFixed(1) }),
      async stop() {
        nodes?.kill('SIGTERM');
        await plane.stop();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
