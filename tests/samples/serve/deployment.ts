import { betterIam } from '@better-iam/server';
import { openDatabase } from '@kit/store';

/** What the sample's free names stand for: an IAM over the deployment's database, and its root tenant once it is there. */
const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const database = await openDatabase({ url: setting('BETTER_COMPUTE_DATABASE_URL') });
export const iam = betterIam({
  database,
  secret: setting('BETTER_COMPUTE_SECRET'),
  baseURL: setting('BETTER_COMPUTE_PUBLIC_URL'),
  permissions: { actions: [], resourceTypes: {} },
});
await iam.initialize();
const root = await iam.rootTenantId();
if (root === undefined) throw Object.assign(new Error('run `better-compute iam bootstrap`'), { code: 'INVALID_CONFIG', status: 0 });
export const platformTenantId = root;
