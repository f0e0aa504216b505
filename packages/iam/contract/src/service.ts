import { service } from '@kit/operation';
import { iamCodes } from './codes.ts';
import { operations } from './operations.ts';

/** The IAM service: `POST /api/iam/{group}/{method}` (iam.md §6). */
export const iamService = service({ name: 'iam', basePath: '/api/iam', codes: iamCodes, operations, bodyBytesMax: 65_536 });
