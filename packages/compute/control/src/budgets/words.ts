import type { BudgetAfter, BudgetUnit } from '@better-compute/contract';

const UNITS: Readonly<Record<BudgetUnit, string>> = {
  gpuHours: 'GPU-hours',
  vcpuHours: 'vCPU-hours',
  sandboxHours: 'sandbox-hours',
  volumeGiBHours: 'GiB-hours of volumes',
  snapshotGiBHours: 'GiB-hours of snapshots',
  liveReservations: 'reservations at once',
  liveInstances: 'instances at once',
  liveSandboxes: 'sandboxes at once',
  liveVolumes: 'volumes at once',
};

const number = (value: number): string => String(Math.round(value * 100) / 100);

/** One budget beside a request, for whoever has to understand it: what is left now, and after it. */
export function budgetText({ bounds, unit, period, limit, asked, left }: Omit<BudgetAfter, 'text'>): string {
  const now = Math.max(0, left + asked);
  const budget = `The ${bounds}'s budget of ${number(limit)} ${UNITS[unit]}${period === null ? '' : ` a ${period}`} has ${number(now)} left now`;
  return left < 0 ? `${budget}, and this asks for ${number(asked)}.` : `${budget}, ${number(left)} after this.`;
}
