export * from '@better-compute/contract';
export * from '@kit/operation';
export { createComputeClient, type ComputeClient } from './client.ts';
