import { spawn } from 'node:child_process';
import { PROGRAM } from './dev-process.ts';

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The program as a shell starts it, in a folder of its own, without colours. */
export function runCli(cwd: string, args: readonly string[], o: { env?: Record<string, string>; input?: string } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env: { ...process.env, BETTER_COMPUTE_CONFIG_HOME: cwd, NO_COLOR: '1', ...o.env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.stdin.end(o.input ?? '');
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}
