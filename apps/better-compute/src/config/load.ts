import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nearest, parseWith, refusalOf } from '@kit/operation';
import type { HostFactory } from '../host/mounts.ts';
import type { Iam } from '../host/services.ts';
import { LEAVES, settingsFromEnvironment } from './environment.ts';
import { invalidConfig } from './invalid-config.ts';
import { OptionsSchema, type Options, type OptionsInput } from './options.ts';
import { resolveOwnPackages } from './own-packages.ts';

const CONFIG_FILE = 'better-compute.config.ts';

export interface LoadedConfig {
  /** Undefined where there is no file. */
  file?: string;
  options: Options;
  /** Which settings came from where, for `config print`. */
  sources: Record<string, 'environment' | 'file' | 'command line'>;
  host?: HostFactory;
  iam?: Iam;
}

const EXPORTS = new Set(['options', 'host', 'iam', 'default']);

async function importConfig(file: string): Promise<{ options?: OptionsInput; host?: HostFactory; iam?: Iam }> {
  let module: Record<string, unknown>;
  resolveOwnPackages();
  try {
    module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (cause) {
    if (refusalOf(cause)) throw cause;
    throw invalidConfig(`cannot be loaded: ${(cause as Error).message}`, { file });
  }
  for (const name of Object.keys(module))
    if (!EXPORTS.has(name))
      throw invalidConfig(`unknown export${nearest(name, [...EXPORTS]) ? `; did you mean ${nearest(name, [...EXPORTS])}?` : ''}`, { file, path: name });
  if (module.host !== undefined && typeof module.host !== 'function') throw invalidConfig('must be made with defineHost()', { file, path: 'host' });
  return module as { options?: OptionsInput; host?: HostFactory; iam?: Iam };
}

/** Environment over file over default; the command line over all (product.md §4). */
export async function loadConfig(o: {
  cwd: string;
  file?: string;
  env: Record<string, string | undefined>;
  overrides?: Record<string, unknown>;
}): Promise<LoadedConfig> {
  const file = resolve(o.cwd, o.file ?? CONFIG_FILE);
  if (o.file !== undefined && !existsSync(file)) throw invalidConfig('there is no such file', { file });
  const loaded = existsSync(file) ? await importConfig(file) : {};
  const environment = settingsFromEnvironment(o.env);
  if (environment.unknown.length > 0) {
    const name = environment.unknown[0]!;
    const meant = nearest(
      name,
      LEAVES.map((leaf) => leaf.variable),
    );
    throw invalidConfig(`${name} is no setting${meant ? `; did you mean ${meant}?` : ': see better-compute config print'}`);
  }
  const merged = merge(merge((loaded.options ?? {}) as Record<string, unknown>, environment.values), o.overrides ?? {});
  const sources: LoadedConfig['sources'] = {};
  for (const [source, values] of [
    ['file', loaded.options ?? {}],
    ['environment', environment.values],
    ['command line', o.overrides ?? {}],
  ] as const) {
    for (const leaf of LEAVES) if (at(values as Record<string, unknown>, leaf.path) !== undefined) sources[leaf.path] = source;
  }
  return {
    ...(existsSync(file) ? { file } : {}),
    options: parseOptions(merged, existsSync(file) ? file : undefined, sources),
    sources,
    ...(loaded.host ? { host: loaded.host } : {}),
    ...(loaded.iam ? { iam: loaded.iam } : {}),
  };
}

function parseOptions(values: unknown, file: string | undefined, sources: LoadedConfig['sources']): Options {
  try {
    return parseWith(OptionsSchema, values) as Options;
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused) throw error;
    const path = typeof refused.details?.path === 'string' ? refused.details.path : '';
    const where = sources[path] === 'environment' ? LEAVES.find((leaf) => leaf.path === path)?.variable : undefined;
    throw invalidConfig(refused.message.replace(`${path}: `, ''), { ...(where ? {} : file ? { file } : {}), path: where ?? path });
  }
}

export function at(values: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (here, step) => (typeof here === 'object' && here !== null && Object.hasOwn(here, step) ? (here as Record<string, unknown>)[step] : undefined),
      values,
    );
}

function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const out = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = out[name];
    const isNested = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);
    out[name] = isNested(value) && isNested(below) ? merge(below, value) : value;
  }
  return out;
}
