/** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (isStopping) process.exit(130);
        isStopping = true;
        resolve();
      });
  });
}
