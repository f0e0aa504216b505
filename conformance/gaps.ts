/** What no test shows yet and why: honest, short, and only ever getting shorter. Ids of `requirements.ts`. */
interface Gap {
  id: string;
  reason: string;
}

const because = (reason: string, ids: string): Gap[] => ids.split(/\s+/).map((id) => ({ id, reason }));

const numbered = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => `B${from + i}`).join(' ');

export const gaps: readonly Gap[] = [
  ...because('instances do not exist yet: their tools refuse with their reason', 'B88 B89 B90 B92 B93 compute§6'),
  ...because(
    'sandboxes, their snapshots and volumes do not exist yet: their tools refuse with their reason',
    `B96 B100 B101 ${numbered(103, 105)} ${numbered(108, 111)} compute§7.1 compute§7.2 compute§7.3 compute§7.4 compute§7.5 compute§7.6 compute§7.7 compute§7.8`,
  ),
  ...because('batches need approver keys, which do not exist yet', `B119 ${numbered(121, 124)} compute§8.1 compute§8.2`),
  ...because('machines are simulated: no drivers, no Kubernetes, nothing runs on a hold', 'compute§5.6 compute§5.7'),

  ...because('OAuth is not ordered yet', 'iam§21.2 iam§21.3'),
  ...because('a test cannot clone and run the tests that it is part of: done by hand and by CI', 'issue2.done1'),
];
