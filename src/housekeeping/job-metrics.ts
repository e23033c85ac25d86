import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../kernel/time/clock.ts';
import type { HousekeepingOptions, ScheduledJob } from './housekeeping.ts';

/** Seconds; a round may process thousands of clients. */
const BUCKETS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600];

/** Registers the metrics of jobs: the time of their last end, their duration and their failures. */
export function jobMetrics(
  registry: Registry,
  jobs: readonly ScheduledJob[],
  clock: Clock,
): NonNullable<HousekeepingOptions['observe']> {
  const registers = [registry];
  // The name `job` is Prometheus's own label of a target.
  const labelNames = ['name'] as const;
  const last = new Gauge({
    name: 'laurel_job_last_success_timestamp_seconds',
    help: 'When the job last ended without a failure, in seconds since 1970; the start of the process until then.',
    labelNames,
    registers,
    aggregator: 'max',
  });
  const interval = new Gauge({
    name: 'laurel_job_interval_seconds',
    help: 'Seconds between two rounds of the job.',
    labelNames,
    registers,
    aggregator: 'max',
  });
  const failures = new Counter({
    name: 'laurel_job_failures_total',
    help: 'Clients for which a round of the job failed, and rounds that were left off.',
    labelNames,
    registers,
  });
  const duration = new Histogram({
    name: 'laurel_job_duration_seconds',
    help: 'Seconds that a round of the job took, over all clients.',
    labelNames,
    registers,
    buckets: BUCKETS,
  });
  for (const { name, everyMs } of jobs) {
    interval.set({ name }, everyMs / 1_000);
    last.set({ name }, clock().getTime() / 1_000);
    failures.inc({ name }, 0);
  }
  return ({ name }, round) => {
    duration.observe({ name }, round.seconds);
    if (round.failures > 0) failures.inc({ name }, round.failures);
    else last.set({ name }, clock().getTime() / 1_000);
  };
}
