/** What no test shows yet and why: honest, short, and only ever getting shorter. Ids of `requirements.ts`. */
interface Gap {
  id: string;
  reason: string;
}

const because = (reason: string, ids: string): Gap[] => ids.split(/\s+/).map((id) => ({ id, reason }));

const numbered = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => `B${from + i}`).join(' ');

export const gaps: readonly Gap[] = [
  ...because('instances do not exist yet', `${numbered(54, 59)} ${numbered(86, 94)} compute§6`),
  ...because(
    'sandboxes, their snapshots and volumes do not exist yet',
    `${numbered(60, 71)} ${numbered(95, 111)} B134 compute§7.1 compute§7.2 compute§7.3 compute§7.4 compute§7.5 compute§7.6 compute§7.7 compute§7.8`,
  ),
  ...because('commands and batches do not exist yet', `${numbered(72, 75)} B53 ${numbered(119, 125)} B132 B160 B165 compute§8 compute§8.1 compute§8.2`),
  ...because('the fleet file does not exist yet', `B76 B77 ${numbered(126, 128)} compute§9`),
  ...because('machines are simulated: no drivers, no Kubernetes, nothing runs on a hold', 'compute§4.2 compute§5.6 compute§5.7'),
  ...because('budgets do not exist yet', 'compute§3.5'),
  ...because('measured in bench/, not in tests', 'compute§12'),
  ...because('OAuth is not ordered yet', 'iam§21.2 iam§21.3'),
  ...because('agent sessions do not exist yet', 'iam§15.4'),
  ...because('left to the issue "Better IAM, whole"', 'iam§3.5 iam§3.6 iam§11.5 iam§12.6 iam§16 iam§17.10'),
];
