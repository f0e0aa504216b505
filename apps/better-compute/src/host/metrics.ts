import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AccessLine } from '@kit/http';
import type { Database } from '@kit/store';

/** What `/metrics` shows (product.md §8). Labels are of small, closed sets: never an id, a name or a path a caller chose. */
export interface Metrics {
  request(service: string, line: AccessLine): void;
  text(): Promise<string>;
}

export function createMetrics(o: { database: Database; version: string; loops: () => Record<string, number> }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'better_compute_requests_total',
    help: 'API requests by operation and outcome.',
    labelNames: ['service', 'operation', 'status', 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'better_compute_request_seconds',
    help: 'Duration of API requests.',
    labelNames: ['service', 'operation'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers,
  });
  const holds = new Counter({ name: 'better_compute_holds_total', help: 'Calls held for a person.', labelNames: ['operation'], registers });
  const gauge = (name: string, help: string, read: () => Record<string, number>, label: string): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
      },
    });
  gauge('better_compute_database_connections', 'Connections of this process.', () => ({ ...o.database.stats() }), 'state');
  gauge('better_compute_loop_lag_seconds', 'Seconds since each loop last finished a round.', o.loops, 'loop');
  gauge('better_compute_info', 'Always 1; the version is the label.', () => ({ [o.version]: 1 }), 'version');
  return {
    request(service, line) {
      requests.inc({ service, operation: line.operation, status: line.status, code: line.code ?? 'OK' });
      seconds.observe({ service, operation: line.operation }, line.durationMs / 1000);
      if (line.code === 'CONFIRMATION_REQUIRED') holds.inc({ operation: line.operation });
    },
    text: async () => await registry.metrics(),
  };
}
