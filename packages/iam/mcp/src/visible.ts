import type { McpCaller, McpIamCaller } from './caller.ts';
import { decideScopes } from './decide.ts';
import { ask, IamFailure } from './failure.ts';
import type { McpCheck } from './iam.ts';
import { limits } from './limits.ts';
import type { AuthorizerSettings } from './options.ts';
import { listedAs } from './rule.ts';

/** The tools a caller may see, in their order (iam.md §19.5). Throws `IamFailure`. */
export async function visibleTools<T extends { name: string }>(settings: AuthorizerSettings, caller: McpCaller, tools: readonly T[]): Promise<T[]> {
  const standings = tools.map((tool) => standingOf(settings, caller, tool.name));
  if (caller.kind === 'oauth') return tools.filter((_, i) => standings[i] === true);
  const allowed = await allowedChecks(
    settings,
    caller,
    standings.filter((standing) => typeof standing === 'object'),
  );
  return tools.filter((_, i) => {
    const standing = standings[i];
    return typeof standing === 'object' ? allowed.has(keyOf(standing)) : standing === true;
  });
}

/** Seen, not seen, or for IAM to say. A rule on the arguments alone is seen: the call will decide. */
function standingOf(settings: AuthorizerSettings, caller: McpCaller, name: string): boolean | McpCheck {
  const rule = settings.rules.get(name);
  if (rule === undefined) return settings.isOpen;
  if (rule.public === true) return true;
  if (caller.kind === 'oauth') return decideScopes(rule, caller.scopes).allowed;
  if (rule.action === undefined) return false;
  const resource = listedAs(rule, { type: settings.toolResourceType, id: name });
  return resource === undefined ? true : { action: rule.action, resource };
}

const keyOf = (check: McpCheck): string => JSON.stringify([check.action, check.resource.type, check.resource.id]);

/** Equal checks are asked once; a group that IAM refuses whole is a group of denials. */
async function allowedChecks(settings: AuthorizerSettings, caller: McpIamCaller, wanted: readonly McpCheck[]): Promise<Set<string>> {
  const checks = [...new Map(wanted.map((check) => [keyOf(check), check])).values()];
  const allowed = new Set<string>();
  for (let at = 0; at < checks.length; at += limits.checksPerCall) {
    const group = checks.slice(at, at + limits.checksPerCall);
    const answer = await ask(() => settings.iam.authorizeMany({ ...caller.credential, tenantId: caller.tenantId, checks: group }));
    if (answer === undefined) continue;
    if (!Array.isArray(answer.results) || answer.results.length !== group.length) throw new IamFailure(503);
    group.forEach((check, i) => {
      if (answer.results[i]?.allowed === true) allowed.add(keyOf(check));
    });
  }
  return allowed;
}
