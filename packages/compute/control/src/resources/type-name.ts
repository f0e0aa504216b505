import type { ResourceType } from '@better-compute/contract';
import type { Plane } from '../plane.ts';

/** `compute-pool`: the type under the deployment's prefix (compute.md §3.2). */
export const typeOf = (plane: Pick<Plane, 'typePrefix'>, type: ResourceType): string => plane.typePrefix + type;
