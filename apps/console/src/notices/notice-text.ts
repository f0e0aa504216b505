import type { Notice } from '@better-iam/client';
import { inertText } from '../approvals/inert-text.ts';
import { type Locale, timeOfDay } from '../time/duration.ts';

/** One sentence for a way back in that was made (iam.md §3.5). */
export function noticeText(notice: Notice, o: { meId: string; now: number } & Locale): string {
  const whose = notice.identityId === o.meId ? 'you' : inertText(notice.name);
  const by = notice.kind === 'reset' ? inertText(notice.by) : `${inertText(notice.by)} on the host (break-glass)`;
  const used = notice.usedAt === undefined ? 'It has not been used.' : `It was used at ${timeOfDay(notice.usedAt, o.now, o)}.`;
  const factor = notice.factor ? ' without a second factor' : '';
  return `At ${timeOfDay(notice.at, o.now, o)} ${by} made a code that lets ${whose} in again${factor}. Reason given: “${inertText(notice.reason)}”. ${used}`;
}
