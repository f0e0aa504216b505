export interface Finding {
  level: 'error' | 'warning' | 'ok';
  /** Stable name, such as `host.mcp.ungated`. */
  code: string;
  text: string;
}
