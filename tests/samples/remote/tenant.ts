import { deployment } from '../current.ts';

export const tenantId = deployment().alice.tenantId;
