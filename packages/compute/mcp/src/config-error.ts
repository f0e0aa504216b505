import { ApiError } from '@better-compute/client';

/** A setting nobody can serve with: thrown while building, naming it (compute.md §2.1). */
export const invalidConfig = (message: string): ApiError => new ApiError('INVALID_CONFIG', 500, message);
