import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export interface Migration {
  number: number;
  name: string;
  text: string;
  sha256: string;
}

const pattern = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/** The folder's migrations in order; a stray file, a gap or a number used twice is an error: each is a merge that went wrong. */
export async function migrationsIn(directory: URL): Promise<Migration[]> {
  const folder = directory.href.endsWith('/') ? directory : new URL(`${directory.href}/`);
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name, i) => {
      const number = Number(pattern.exec(name)?.[1]);
      if (number !== i + 1) throw new Error(`${name} in ${folder.pathname}: migration ${String(i + 1).padStart(4, '0')}-name.sql is expected here`);
      const text = await readFile(new URL(name, folder), 'utf8');
      return { number, name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
