import { Counter, Histogram, type Registry } from 'prom-client';
import type { FinishedAttempt } from '../outbox/claimed-message.ts';
import type { Retry } from '../retries/retry-schedule.ts';

/** Seconds, up to the 5 that an attempt may take. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Counts and times attempts in `registry`, by type and outcome. The type of a message for an endpoint is the kind of its change. There is
 * no client label, because there may be thousands of clients; the delivery log has them.
 */
export function webhookMetrics(registry: Registry): (outcome: FinishedAttempt) => void {
  const labelNames = ['type', 'outcome'] as const;
  const attempts = new Counter({
    name: 'laurel_webhook_attempts_total',
    help: 'Webhooks sent, by type and outcome (DELIVERED, REFUSED, TIMED_OUT, FAILED).',
    labelNames,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'laurel_webhook_duration_seconds',
    help: 'Seconds that an attempt took.',
    labelNames,
    buckets: BUCKETS,
    registers: [registry],
  });
  return ({ message: { type }, attempt: { outcome, durationMs } }) => {
    attempts.inc({ type, outcome });
    duration.observe({ type, outcome }, durationMs / 1000);
  };
}

/** Counts the consequences of failed attempts of webhooks with retries in `registry`, by type. */
export function retryMetrics(registry: Registry): (outcome: FinishedAttempt, retry: Retry) => void {
  const retries = new Counter({
    name: 'laurel_webhook_retries_total',
    help: 'What followed failed attempts of webhooks with retries (SCHEDULED, GONE, EXHAUSTED, BACKLOG_FULL, ENDED), by type.',
    labelNames: ['type', 'retry'] as const,
    registers: [registry],
  });
  return ({ message: { type } }, retry) => retries.inc({ type, retry });
}
