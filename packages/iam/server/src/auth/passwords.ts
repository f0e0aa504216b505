import { hash, verify } from '@node-rs/argon2';

/** Argon2id with a salt of its own in each record (iam.md §3.4): 19 MiB, 2 passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Compared with when there is no record, so that a missing account takes as long as a wrong password. Its password is nobody's: it is longer than any accepted. */
const nobodys = hashPassword('-'.repeat(300));

/** Whether the password fits the record; the same work when there is none. */
export async function passwordFits(record: string | undefined, password: string): Promise<boolean> {
  const isMatch = await verify(record ?? (await nobodys), password);
  return record !== undefined && isMatch;
}
