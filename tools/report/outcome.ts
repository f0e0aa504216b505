/** What a part of the run came to; parts are added up for the closing line. */
export interface Outcome {
  passed: number;
  failed: number;
  /** Names of what did not run. */
  skipped: string[];
}

export const add = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  skipped: outcomes.flatMap(({ skipped }) => skipped),
});

/** How every run ends: what was skipped and for want of what, what is known to be missing, and the figures as the last line. */
export function closingLines({ passed, failed, skipped }: Outcome, absences: readonly string[], gaps: readonly string[]): string[] {
  const missing = [...new Set(absences)].sort();
  return [
    '',
    ...(missing.length > 0 ? ['MISSING, so tests are skipped:', ...missing.map((line) => `  ${line}`)] : []),
    ...(skipped.length > 0 ? [`SKIPPED (${skipped.length}):`, ...skipped.map((name) => `  ${name}`)] : []),
    ...gaps,
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  ];
}
