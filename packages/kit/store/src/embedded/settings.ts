import { limits } from '../limits.ts';

/** For a small machine beside the services: little memory, bounded disk and recovery time, everything acknowledged is on disk. */
export function settingsOf(socketDir: string): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    port: '5432',
    max_connections: String(limits.embedded.connections),
    shared_buffers: '32MB',
    // about 10 ms of recovery for each MB after a kill
    max_wal_size: '128MB',
    min_wal_size: '32MB',
    fsync: 'on',
    synchronous_commit: 'on',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log holds the server's life, not statements and values: those are the caller's to report, and the file stays small.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  };
}
