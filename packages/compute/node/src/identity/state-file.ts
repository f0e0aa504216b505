import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../protocol/messages.ts';
import { invalidConfig } from '../refusal.ts';
import { type KeyPair, makeKeyPair } from './key.ts';

const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

export interface NodeState extends KeyPair {
  version: 1;
  name: string;
  /** Null between the making of the key and the answer to the join: the same key asked again is the same node. */
  nodeId: string | null;
  /** Of the last start of the agent. */
  incarnation: number;
  /** Not acknowledged yet. */
  results: Result[];
}

/** Everything a node must not forget, in one file that only its user can read: `{dir}/{name}.json`, mode 600. */
export class StateFile {
  readonly state: NodeState;
  private readonly file: string;
  private writing: Promise<void> = Promise.resolve();

  private constructor(file: string, state: NodeState) {
    this.file = file;
    this.state = state;
  }

  /** Throws INVALID_CONFIG when others can read it, or it is no state of a node. */
  static async open(dir: string, name: string): Promise<StateFile | undefined> {
    const file = fileOf(dir, name);
    const found = await stat(file).catch(ifMissing);
    if (!found) return undefined;
    if ((found.mode & 0o077) !== 0) throw invalidConfig(`${file} can be read by others: chmod 600 ${file}`);
    const state = parsed(await readFile(file, 'utf8'));
    if (!state) throw invalidConfig(`${file} is not the state of a node: remove it and join again`);
    return new StateFile(file, state);
  }

  /** Makes the node's key. */
  static async create(dir: string, name: string): Promise<StateFile> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(dir, 0o700);
    const made = new StateFile(fileOf(dir, name), { version: 1, name, nodeId: null, ...makeKeyPair(), incarnation: 0, results: [] });
    await made.save();
    return made;
  }

  /** On disk when it resolves: in full or not at all, in the order of the calls. */
  save(): Promise<void> {
    const next = this.writing.then(() => replace(this.file, JSON.stringify(this.state)));
    this.writing = next.catch(() => {});
    return next;
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.writing; ) {
      last = this.writing;
      await last;
    }
  }
}

async function replace(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}

function fileOf(dir: string, name: string): string {
  if (!NAME.test(name)) throw invalidConfig(`${name} is not a name for a node: 1 to 63 letters, digits, . _ or -`);
  return join(dir, `${name}.json`);
}

function parsed(text: string): NodeState | undefined {
  let state: Partial<NodeState> | null;
  try {
    state = JSON.parse(text) as Partial<NodeState> | null;
  } catch {
    return undefined;
  }
  const isState =
    state?.version === 1 &&
    typeof state.publicKey === 'string' &&
    typeof state.privateKey === 'string' &&
    Number.isSafeInteger(state.incarnation) &&
    Array.isArray(state.results) &&
    (state.nodeId === null || typeof state.nodeId === 'string');
  return isState ? (state as NodeState) : undefined;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
