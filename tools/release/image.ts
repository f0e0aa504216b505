import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, run } from './command.ts';
import { ReleaseFailure } from './failure.ts';

export interface Builder {
  program: 'docker' | 'podman';
}

/** The first of docker and podman that is there and answers; otherwise why none can be used. */
export function findBuilder(env: Environment): Builder | { whyNot: string } {
  const tried = (['docker', 'podman'] as const).map((program) => {
    const { error, status, stderr } = spawnSync(program, ['info'], { env, encoding: 'utf8', timeout: 20_000 });
    if (error === undefined && status === 0) return { program };
    const isAbsent = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    return { program, whyNot: isAbsent ? `${program} is not installed` : `${program} does not answer (${(error?.message ?? stderr.trim()).split('\n')[0]})` };
  });
  const usable = tried.find((builder) => builder.whyNot === undefined);
  return usable ?? { whyNot: tried.map(({ whyNot }) => whyNot).join(', ') };
}

const healthScript = "fetch('http://127.0.0.1:7070/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))";
const startSecondsMax = 60;

/** Builds the image of a tarball and runs it once: as nobody special, healthy, ended by SIGTERM with exit 0. Answers its name. */
export async function buildImage(
  root: string,
  o: { builder: Builder; tarball: string; version: string; env: Environment; say(line: string): void },
): Promise<string> {
  const name = `better-compute:${o.version}`;
  const tool = (args: readonly string[], purpose: string, secondsMax = 60): string =>
    run(o.builder.program, args, { cwd: root, env: o.env, purpose, secondsMax }).trim();
  const file = join(root, 'Containerfile');
  tool(['build', '--file', file, '--build-arg', `TARBALL=${basename(o.tarball)}`, '--tag', name, dirname(o.tarball)], 'the image was not built', 900);
  o.say(`built the image ${name}`);
  const version = tool(['run', '--rm', name, '--version'], 'the image does not start');
  if (version !== o.version) throw new ReleaseFailure(`the image holds ${version}, not ${o.version}`);
  const settings = { DATABASE_EMBEDDED: 'true', PUBLIC_URL: 'http://127.0.0.1:7070', SECRET: 'only-for-trying-the-image-once-and-then-gone' };
  const environment = Object.entries(settings).flatMap(([setting, value]) => ['--env', `BETTER_COMPUTE_${setting}=${value}`]);
  const container = tool(['run', '--detach', '--init', ...environment, name], 'the image does not start');
  try {
    const health = (): number | null => spawnSync(o.builder.program, ['exec', container, 'node', '-e', healthScript], { env: o.env, stdio: 'ignore' }).status;
    for (let waited = 0; health() !== 0; waited++) {
      if (waited >= startSecondsMax) throw new ReleaseFailure(['the image was not healthy in time', tool(['logs', container], 'its log')].join('\n'));
      await sleep(1_000);
    }
    if (tool(['exec', container, 'id', '-u'], 'who runs in the image') === '0') throw new ReleaseFailure('the image runs as root');
    tool(['stop', '--time', '40', container], 'the container does not stop');
    const code = tool(['inspect', '--format', '{{.State.ExitCode}}', container], 'how the container ended');
    if (code !== '0') throw new ReleaseFailure(`the container ended with ${code} after SIGTERM`);
    o.say('the image serves as an ordinary user and stops with exit 0');
  } finally {
    spawnSync(o.builder.program, ['rm', '--force', container], { env: o.env, stdio: 'ignore' });
  }
  return name;
}
