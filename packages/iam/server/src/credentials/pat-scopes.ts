/** Scope names of a PAT and the actions each is a ceiling for (sessions-api.md §1.1). */
const actionsByScope: Readonly<Record<string, readonly string[]>> = {
  'sessions:read': ['gobare:sessions:read'],
  'sessions:write': ['gobare:sessions:create', 'gobare:sessions:update', 'gobare:sessions:delete'],
  'tools:respond': ['gobare:tools:respond'],
  'artifacts:read': ['gobare:artifacts:read'],
  'credentials:write': ['gobare:models:write'],
  cli: [],
};

export const isPatScope = (name: string): boolean => Object.hasOwn(actionsByScope, name);

/** An unknown name, such as one of a later version, allows nothing. */
export const actionsOfPatScopes = (scopes: readonly string[]): string[] => scopes.flatMap((name) => (isPatScope(name) ? actionsByScope[name]! : []));
