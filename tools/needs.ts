// What some tests need from outside the repository. A missing thing skips them, and the end of the run says so:
//   const chromium = needs('chromium');
//   test.skipIf(chromium === undefined)('iam§17.8 …', …)
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Need = 'chromium' | 'postgres';

const POSTGRES_MAJOR_MIN = 15;
const POSTGRES_FOLDER = '/usr/lib/postgresql';

const onPath = (names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** The oldest supported server there is: what the embedded engine, the newest, does not show. */
function postgresBinaries(): string | undefined {
  const majors = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER).map(Number) : [];
  return majors
    .filter((major) => major >= POSTGRES_MAJOR_MIN)
    .sort((a, b) => a - b)
    .map((major) => join(POSTGRES_FOLDER, String(major), 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));
}

const finders: Record<Need, { find: () => string | undefined; absence: string }> = {
  chromium: {
    find: () => onPath(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']),
    absence: 'no Chromium in PATH (Debian: apt-get install chromium)',
  },
  postgres: { find: postgresBinaries, absence: `no PostgreSQL ${POSTGRES_MAJOR_MIN} or newer under ${POSTGRES_FOLDER} (Debian: apt-get install postgresql)` },
};

/**
 * Where the thing is: Chromium's executable, or the folder of PostgreSQL's binaries (`initdb`, `postgres`, `pg_ctl`).
 * Undefined when it is missing; that is then listed at the end of the run.
 */
export function needs(need: Need): string | undefined {
  const { find, absence } = finders[need];
  const found = find();
  if (found === undefined) report(`${need}: ${absence}`);
  return found;
}

/** The wrapper of the whole run gives a file to collect in; without it, on the spot. */
function report(line: string): void {
  const file = process.env.TEST_ABSENCES_FILE;
  if (file === undefined) process.stderr.write(`missing ${line}\n`);
  else appendFileSync(file, `${line}\n`);
}
