// Debian packages that tests need, installed when root; otherwise said in one line.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say, sleep } from './place.mjs';

const GRACE_MS = 5000;

// The simulated world of `demo` needs nothing of the system.
const wantedFor = {
  demo: [],
  test: [
    { name: 'chromium', why: 'the browser test of the approvals page' },
    { name: 'fonts-liberation', why: 'text in that browser' },
    { name: 'postgresql', why: 'the store tests on an external server (binaries only, no cluster is made or started)' },
  ],
};

const isInstalled = (name) => {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { encoding: 'utf8' });
  return stdout === 'installed';
};

const apt = (...args) =>
  spawnSync('apt-get', ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Debian makes and starts a cluster with a new server package; tests start servers of their own. */
function withoutCluster(install) {
  const folder = '/etc/postgresql-common/createcluster.d';
  const file = join(folder, 'better-compute-setup.conf');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
  try {
    return install();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Package lists are only fetched when the ones at hand do not lead to the packages. */
function install(names) {
  const plain = () => apt('--no-install-recommends', 'install', ...names);
  const attempt = () => (names.includes('postgresql') ? withoutCluster(plain) : plain());
  const first = attempt();
  if (first.status === 0) return undefined;
  // Without the option apt calls an update with unreachable sources a success.
  const update = apt('-o', 'APT::Update::Error-Mode=any', 'update');
  if (update.status !== 0) return `apt-get update failed: ${lastLine(update)}`;
  const second = attempt();
  return second.status === 0 ? undefined : `apt-get install failed: ${lastLine(second)}`;
}

const lastLine = ({ error, stderr = '', stdout = '' }) => error?.message ?? `${stdout}\n${stderr}`.trim().split('\n').at(-1);

/** Why packages cannot be installed here, or undefined when they can. */
function obstacle(noSystem) {
  if (noSystem) return 'by your wish (--no-system or BETTER_COMPUTE_NO_SYSTEM=1)';
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return 'this is no Debian';
  if (process.getuid() !== 0) return 'you are not root';
  return undefined;
}

/**
 * Brings in what `purpose` needs of the system. Tests that then find something missing skip themselves and say so;
 * only a CI run as root may not go on without.
 */
export function installSystem(purpose, { noSystem }) {
  const missing = (wantedFor[purpose] ?? []).filter(({ name }) => !isInstalled(name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const why = obstacle(noSystem);
  if (why !== undefined) {
    say(`not installed, ${why}: ${names.join(', ')}; tests that find no other are skipped (as root: apt-get install ${names.join(' ')})`);
    return;
  }
  say('these Debian packages will be installed now (--no-system or BETTER_COMPUTE_NO_SYSTEM=1 leaves them out):');
  for (const { name, why: use } of missing) say(`  ${name}: ${use}`);
  if (process.stderr.isTTY) {
    say(`starting in ${GRACE_MS / 1000} s, Ctrl-C stops`);
    sleep(GRACE_MS);
  }
  const failure = install(names);
  if (failure === undefined) return say('Debian packages installed');
  if (process.env.CI === 'true') throw new Refusal(failure);
  say(`${failure}; tests that need ${names.join(', ')} are skipped`);
}
