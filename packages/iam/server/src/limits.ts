/** Every limit of this package (iam.md §23). */
export const limits = {
  tenantDepthMax: 8,
  secretMinLength: 32,

  sessionMs: 12 * 3_600_000,
  sessionIdleMs: 3_600_000,
  recentMs: 5 * 60_000,
  /** `lastUsedAt` is written at most this often. */
  touchMs: 60_000,

  windowMs: 15 * 60_000,
  signInsPerWindow: 10,
  factorAttemptsPerWindow: 5,
  challengeMs: 5 * 60_000,
  /** A secret that was shown is confirmed by then, or made anew. */
  enrollmentMs: 10 * 60_000,
  recoveryCodes: 10,
  recoveryCodeGroups: 3,
  resetMs: 24 * 3_600_000,
  breakGlassMs: 15 * 60_000,
  resetCodeGroups: 4,
  noticeMs: 7 * 86_400_000,
  deviceMs: 10 * 60_000,
  devicePollSeconds: 5,
  devicesPerWindow: 60,
  userCodeGroups: 2,
  delegationRequestsPerWindow: 10,

  keyDefaultSeconds: 90 * 86_400,
  patDays: [7, 30, 90],
  patDefaultDays: 30,

  delegationDefaultSeconds: 30 * 86_400,
  requestMs: 7 * 86_400_000,
  delegatedDefaultSeconds: 900,
  agentSessionDefaultSeconds: 3_600,
  liveSessionsPerDelegation: 20,
  handoffDefaultSeconds: 3_600,
  handoffsPerDelegation: 20,
  confirmPatternsMax: 50,

  deputiesAtOnce: 3,
  deputyAheadMs: 30 * 86_400_000,

  confirmationWindowMs: 30 * 60_000,
  confirmationDefaultSeconds: 300,
  filingsPerWindow: 10,
  pendingPerDelegation: 20,
  coolDownMs: 15 * 60_000,
  coolDownRejections: 2,
  repeatWindowMs: 24 * 3_600_000,
  summaryLengthMax: 2_000,
  factsMax: 16,
  linksMax: 4,

  /** All of them may have to be decided on to list those one may reach. */
  managedPerTenant: 10_000,
  managedReadAtOnce: 500,

  roleInheritanceMax: 20,
  pageDefault: 50,
  auditPageMax: 1_000,
  /** Hashed at once, of a chain that is verified: a few milliseconds. */
  auditVerifyPage: 100,
  auditVerifyMax: 20_000,
  auditVerifiesPerWindow: 60,

  /** Compiled states kept in memory; the oldest goes first. */
  statesMax: 20_000,
  /** How often one call follows a tenant that is being changed under it. */
  readsMax: 5,
  /** What stays open asks again for whom (invariant 6). */
  recheckMs: 15_000,
  watchQueueMax: 1_000,
} as const;
