/** Every limit of the gate (iam.md §19.1, §23). */
export const limits = {
  /** Body of one MCP request; `maxBodyBytes` replaces it. */
  bodyBytes: 4 * 1024 * 1024,
  /** Answer to `tools/list` that is held while it is filtered. */
  listBytes: 16 * 1024 * 1024,
  /** Checks of one `authorizeMany`. */
  checksPerCall: 50,
  /** What a 503 suggests when IAM did not say. */
  retryAfterSeconds: 5,
  metadataMaxAgeSeconds: 3600,
  preflightMaxAgeSeconds: 7200,
  /** Difference of clocks granted to an access token (iam.md §21.4). */
  tokenLeewaySeconds: 30,
} as const;
