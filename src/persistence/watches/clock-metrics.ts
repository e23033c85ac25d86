import { Gauge, type Registry } from 'prom-client';
import type { DatabaseClock } from './database-clock.ts';

/** Registers the gauge of the difference between this machine's clock and the database's. */
export function clockMetrics(registry: Registry, clock: Pick<DatabaseClock, 'skewMs'>): void {
  const gauge: Gauge = new Gauge({
    name: 'laurel_clock_skew_seconds',
    help: "Seconds by which this machine's clock is ahead of PostgreSQL's, which counts.",
    registers: [registry],
    collect: () => gauge.set(clock.skewMs() / 1_000),
  });
}
