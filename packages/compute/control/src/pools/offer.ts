import type { PoolConfig } from '@better-compute/contract';

/** The platform's own tenant sees and operates every pool (compute.md §3.1, Projection). */
export const isOperator = (pool: PoolConfig, tenantId: string, platformTenantId: string | undefined): boolean =>
  tenantId === platformTenantId || pool.operators.includes(tenantId);

export const isOffered = (pool: PoolConfig, tenantId: string, platformTenantId: string | undefined): boolean =>
  pool.tenants === 'all' || pool.tenants.includes(tenantId) || isOperator(pool, tenantId, platformTenantId);
