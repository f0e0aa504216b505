/** Where a server process listens and what is called there. */
export interface Served {
  port: number;
  path: string;
  token: string;
  tool: string;
}

export interface Serving extends Served {
  close?(): Promise<void>;
}
