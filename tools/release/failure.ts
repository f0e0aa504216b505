/** Why there is no release: one sentence for a person, printed without a stack. */
export class ReleaseFailure extends Error {
  override readonly name = 'ReleaseFailure';
}
