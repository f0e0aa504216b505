/**
 * RFC 8785 for values that came from JSON: a list given as replacer is also the order of the members.
 * `canonicalJson` of @kit/operation does the same for any value, but comes with the schema library, which is a quarter
 * of this agent's memory and half of its start; a test holds the two together.
 */
export function canonicalText(value: unknown): string {
  const names = new Set<string>();
  JSON.stringify(value, (name, member: unknown) => {
    names.add(name);
    return member;
  });
  return JSON.stringify(value, [...names].sort());
}
