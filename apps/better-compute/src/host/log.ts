import pino from 'pino';
import pc from 'picocolors';
import type { Options } from '../config/options.ts';

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

const LEVELS: Record<number, string> = { 20: pc.gray('debug'), 30: pc.cyan('info'), 40: pc.yellow('warn'), 50: pc.red('error') };

/** One readable line for a terminal; the same fields as the JSON form. */
function textLine(json: string): string {
  const { level, time, msg, pid: _pid, hostname: _host, ...rest } = JSON.parse(json) as Record<string, unknown> & { level: number; time: number; msg?: string };
  const fields = Object.entries(rest).map(([name, value]) => pc.gray(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`));
  return `${pc.gray(new Date(time).toISOString().slice(11, 19))} ${LEVELS[level] ?? level} ${msg ?? ''} ${fields.join(' ')}\n`;
}

/** JSON lines on stderr, or text on a terminal. What is logged carries ids, never a token, a key or an input (product.md §8). */
export function createLog(options: Options['log'], stream: NodeJS.WriteStream = process.stderr): Log {
  const format = options.format ?? (stream.isTTY ? 'text' : 'json');
  const redact = { paths: ['token', 'secret', 'password', 'authorization', '*.token', '*.secret', '*.password', '*.authorization'], censor: '(hidden)' };
  const destination = format === 'json' ? stream : { write: (line: string) => stream.write(textLine(line)) };
  return pino({ level: options.level, redact, base: null }, destination as pino.DestinationStream);
}
