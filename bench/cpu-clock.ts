/** Milliseconds of CPU this thread has used: rates and times of one core that other load on the machine does not change much. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
