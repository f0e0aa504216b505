import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { invalidConfig } from '../config/invalid-config.ts';
import type { Options } from '../config/options.ts';

function readKeyFile(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) throw invalidConfig(`${file} does not exist: make one with  openssl rand -base64 48 > ${file} && chmod 600 ${file}`, { path: 'secrets.keyFile' });
  if ((stat.mode & 0o077) !== 0) throw invalidConfig(`${file} can be read by others: chmod 600 ${file}`, { path: 'secrets.keyFile' });
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) throw invalidConfig(`${file} holds fewer than 32 characters`, { path: 'secrets.keyFile' });
  return secret;
}

/** The deployment's one secret. `dev` makes its own at first start; `serve` must be given one. */
export function secretOf(options: Options, o: { mayMake: boolean }): string {
  if (options.secrets.keyFile !== undefined) return readKeyFile(resolve(options.secrets.keyFile));
  if (options.secret !== undefined) return options.secret;
  if (!o.mayMake)
    throw invalidConfig('a secret is needed: set secrets.keyFile (BETTER_COMPUTE_SECRETS_KEY_FILE) to a file of mode 600', { path: 'secrets.keyFile' });
  const file = join(resolve(options.dataDir), 'secret.key');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readKeyFile(file);
}
