import type { UnitOfWork } from '../../persistence/database.ts';
import type { FinishedAttempt } from '../outbox/claimed-message.ts';
import { lockRetryBacklog } from './retry.queries.ts';
import { BACKLOG_MAX, type Retry, type RetryPlan, retryPlan } from './retry-schedule.ts';

/** The consequence of a first attempt. */
type Plan = RetryPlan | { readonly retry: 'ENDED'; readonly pauseMs: 0 };

/** Whether an attempt failed and its webhook had retries at the time of sending. */
export function isRetried({ message, attempt }: FinishedAttempt): boolean {
  return message.retries && attempt.outcome !== 'DELIVERED';
}

/**
 * Plans the retries of failed first attempts, including messages sent again by hand; none if the webhook had no retries
 * when it was sent. The client's backlog stays locked until the transaction ends, so that its limit is exact.
 */
export async function planRetries(
  uow: UnitOfWork,
  outcomes: readonly FinishedAttempt[],
): Promise<Map<FinishedAttempt, Plan>> {
  const failed = outcomes.filter(isRetried);
  const plans = new Map<FinishedAttempt, Plan>();
  const { configurationIds, waiting } = await lockRetryBacklog(uow);
  let room = BACKLOG_MAX - waiting;
  for (const outcome of failed) {
    const plan = retryPlan(outcome.attempt, 0);
    if (!configurationIds.has(outcome.message.configurationId)) plans.set(outcome, { retry: 'ENDED', pauseMs: 0 });
    else if (plan.retry === 'SCHEDULED' && room <= 0) plans.set(outcome, { retry: 'BACKLOG_FULL', pauseMs: 0 });
    else plans.set(outcome, plan);
    if (plans.get(outcome)!.retry === 'SCHEDULED') room -= 1;
  }
  return plans;
}

/** The consequences by the ids of attempts; attempts without one are left out. */
export function retriesById(rows: ReadonlyArray<{ id: string; retry: Retry | null }>): Map<string, Retry> {
  return new Map(rows.flatMap(({ id, retry }) => (retry === null ? [] : [[id, retry] as const])));
}
