import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildImage, findBuilder } from './image.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-image-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

/** A stand-in for docker or podman that answers by its first word and notes how it was called. */
function install(program: string, cases: Record<string, string>): void {
  const arms = Object.entries(cases).map(([pattern, script]) => `  ${pattern}) ${script} ;;`);
  const script = ['#!/bin/sh', `echo "${program} $*" >> '${join(folder, 'calls')}'`, 'case "$*" in', ...arms, '  *) exit 0 ;;', 'esac'];
  writeFileSync(join(folder, 'bin', program), script.join('\n'), { mode: 0o755 });
}

const env = (): Record<string, string> => ({ PATH: `${join(folder, 'bin')}:/nowhere` });

describe('product§8 issue2.11 the container image', () => {
  test('without docker and podman, or with one that does not answer, it is said why there is no image', () => {
    expect(findBuilder(env())).toEqual({ whyNot: 'docker is not installed, podman is not installed' });
    install('docker', { info: "echo 'no daemon' >&2; exit 1" });
    expect(findBuilder(env())).toEqual({ whyNot: 'docker does not answer (no daemon), podman is not installed' });
    install('podman', {});
    expect(findBuilder(env())).toEqual({ program: 'podman' });
  });

  const answers = { "'run --rm'*": 'echo 1.2.3', "'run --detach'*": 'echo c1', "*'id -u'": 'echo 1000', "'inspect'*": 'echo 0' };
  const build = async (): Promise<string> =>
    await buildImage(folder, {
      builder: { program: 'docker' },
      tarball: join(folder, 'release', 'better-compute-1.2.3.tgz'),
      version: '1.2.3',
      env: env(),
      say: () => {},
    });

  test('is built of the tarball alone, run once and taken away again', async () => {
    install('docker', answers);
    expect(await build()).toBe('better-compute:1.2.3');
    const [first, ...others] = calls();
    expect(first).toBe(`docker build --file ${folder}/Containerfile --build-arg TARBALL=better-compute-1.2.3.tgz --tag better-compute:1.2.3 ${folder}/release`);
    expect(others.at(-1)).toBe('docker rm --force c1');
  });

  test.each([
    ['is not built', { "'build'*": 'exit 1' }, 'the image was not built'],
    ['holds another version', { "'run --rm'*": 'echo 1.2.2' }, 'the image holds 1.2.2, not 1.2.3'],
    ['runs as root', { "*'id -u'": 'echo 0' }, 'the image runs as root'],
    ['does not end well', { "'inspect'*": 'echo 137' }, 'the container ended with 137 after SIGTERM'],
  ])('one that %s is a failure, and no container is left', async (_, other, sentence) => {
    install('docker', { ...other, ...answers, ...other });
    await expect(build()).rejects.toThrow(sentence);
    const started = calls().some((line) => line.startsWith('docker run --detach'));
    expect(calls().at(-1) === 'docker rm --force c1').toBe(started);
  });
});
