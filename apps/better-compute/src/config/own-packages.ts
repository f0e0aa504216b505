import { registerHooks } from 'node:module';

/** Packages a configuration file imports that are this product's own: they are not on a registry, so they come from here. */
const OWN = /^(better-compute\/(cli|mcp)|@better-iam\/(server|client|mcp)|@better-compute\/(client|mcp)|@kit\/store)$/;

let isRegistered = false;

/**
 * Lets a `better-compute.config.ts` in any folder import the running product's own packages: a second copy would be
 * another class, another registry, another version.
 */
export function resolveOwnPackages(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, next) => next(specifier, OWN.test(specifier) ? { ...context, parentURL: import.meta.url } : context),
  });
}
