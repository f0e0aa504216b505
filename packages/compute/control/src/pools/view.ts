import type { Pool } from '@better-compute/contract';
import type { Look } from '../plane.ts';
import { isOperator } from './offer.ts';
import type { PoolRow } from './store.ts';

/** Whom a pool is offered to is its operators' business alone. */
export function poolView({ tenantId, platformTenantId }: Look, { config, version }: PoolRow): Pool {
  const { tenants, operators, ...shown } = config;
  const operator = isOperator(config, tenantId, platformTenantId);
  return { ...shown, ...(operator ? { tenants, operators } : {}), operator, version };
}
