/**
 * A refusal whose audit record is part of the transaction: thrown before anything else is changed, it lets the transaction commit, and the refusal
 * follows. Any other error takes the transaction with it.
 */
export class Recorded extends Error {
  override readonly name = 'Recorded';
  readonly refusal: Error;

  constructor(refusal: Error) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Runs `work`; a recorded refusal comes back as a value, to be thrown once its record is kept. */
export async function settle<T>(work: () => Promise<T>): Promise<{ value: T } | { refusal: Error }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof Recorded) return { refusal: error.refusal };
    throw error;
  }
}
