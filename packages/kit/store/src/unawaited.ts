/** For a statement of a transaction that nobody waits for: what comes after it comes after it, and the commit fails with it. */
export function unawaited(statement: Promise<unknown>): void {
  statement.catch(() => {});
}
