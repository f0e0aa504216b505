/** `mcp-` and 128 random bits in base64url (iam.md §18, rule 17). */
export function mintKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `mcp-${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22)}`;
}
