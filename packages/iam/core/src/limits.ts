/** Limits this package holds (`iam.md` §6, §10.4, §23). Lengths are UTF-16 units. */
export const limits = Object.freeze({
  statementsMax: 128,
  patternsMax: 128,
  patternLengthMax: 512,
  sidLengthMax: 128,
  conditionKeysMax: 64,
  conditionValuesMax: 64,
  conditionStringLengthMax: 2048,
  contextKeyLengthMax: 128,
  /** One decision, and apart from it the filling of one index entry; see `policy/index-entry.ts`. */
  evaluationStepsMax: 4_000_000,
  actionLengthMax: 256,
  resourceIdLengthMax: 2048,
  authorizationTokenLengthMax: 4096,
  confirmPatternsMax: 50,
  jsonDepthMax: 64,
});
