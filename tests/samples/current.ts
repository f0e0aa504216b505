import type { Deployment } from '../support/deployment.ts';

let current: Deployment | undefined;

/** The deployment that the samples' free names stand for. */
export const useDeployment = (d: Deployment): void => void (current = d);

export function deployment(): Deployment {
  if (!current) throw new Error('no deployment: call useDeployment first');
  return current;
}
