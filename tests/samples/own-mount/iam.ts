import { deployment } from '../current.ts';

export const { iam } = deployment().plane;
