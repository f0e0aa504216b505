import pc from 'picocolors';

/** Where commands write: results on stdout, talk on stderr, so that a pipe gets results alone. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  isInteractive: boolean;
  env: Record<string, string | undefined>;
  cwd: string;
}

export const processTerminal = (): Terminal => ({
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  env: process.env,
  cwd: process.cwd(),
});

/** Text of others is shown as inert text: no control character reaches the terminal. */
export const inert = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '�');

export const when = (ms: number): string => {
  const date = new Date(ms);
  return `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)} UTC`;
};

export const strong = (text: string): string => pc.bold(text);
export const faint = (text: string): string => pc.dim(text);
export const good = (text: string): string => pc.green(text);
export const bad = (text: string): string => pc.red(text);
