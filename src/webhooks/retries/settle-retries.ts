import { fewKeys, holdRows, probe } from '../../persistence/by-keys.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { LOG_COLUMNS, LOGGED, LOGGED_VALUES, loggedAttempt } from '../delivery/log-rows.ts';
import type { Outcome } from '../outbox/claimed-message.ts';
import { countOutcomes } from '../outbox/outbox.queries.ts';
import { retriesById } from './plan-retries.ts';
import { type Retry, RETRY_FOR_MS, retryPlan } from './retry-schedule.ts';

/** SQL for how long after its first attempt a message is retried. */
const RETRY_FOR = `${RETRY_FOR_MS} * interval '1 ms'`;

/**
 * Records how retries ended: each attempt in the log, the row with the time of its next attempt, or gone. An attempt whose
 * row was taken away meanwhile, or taken over by another process, is only logged; a delivered one ends its message in any
 * case. May be repeated.
 * @returns what followed each attempt that failed, by its id
 */
export async function settleRetries(uow: UnitOfWork, outcomes: readonly Outcome[]): Promise<Map<string, Retry>> {
  if (outcomes.length === 0) return new Map();
  countOutcomes(uow, outcomes);
  const rows = outcomes.map((outcome) => loggedAttempt(outcome, planOf(outcome)));
  const held = uow.query(holdRows('webhook_retry'), [uow.clientId, rows.map((row) => row.message_id).toSorted()]);
  const settled = uow.query<{ id: string; retry: Retry | null }>(
    `with logged as (select * from ${LOGGED}), settled as (
       select l.*, r.place,
              case when l.retry = 'SCHEDULED' and r.first_attempt_at + ${RETRY_FOR} <= clock_timestamp() then 'EXHAUSTED'
                   else l.retry end as verdict
         from ${fewKeys('logged', 'l', 'array(select id from logged)')}
        cross join ${probe({
          ...{ select: 'ctid as place, first_attempt_at', from: 'webhook_retry', key: { id: 'l.message_id' } },
          and: `(l.outcome = 'DELIVERED' or attempts = l.attempt)`,
        })} r
     ), scheduled as (
       update webhook_retry r
          set failed_retries = s.failed_retries + 1, lease_until = null, last_outcome = s.outcome,
              last_status_code = s.status_code, last_error = s.error,
              next_attempt_at = least(clock_timestamp() + s.pause_ms * interval '1 ms', r.first_attempt_at + ${RETRY_FOR})
         from settled s
        where r.client_id = $1 and r.ctid = s.place and s.verdict = 'SCHEDULED'
       returning r.id, r.next_attempt_at
     ), gone as (
       delete from webhook_retry r using settled s
        where r.client_id = $1 and r.ctid = s.place and s.verdict is distinct from 'SCHEDULED'
     )
     insert into webhook_delivery (client_id, ${LOG_COLUMNS}, retry, retry_at)
     select $1, ${LOGGED_VALUES},
            case when l.outcome = 'DELIVERED' then null when s.id is null then 'ENDED' else s.verdict end, n.next_attempt_at
       from logged l
       left join settled s on s.id = l.id
       left join scheduled n on n.id = l.message_id
     on conflict (client_id, id) do nothing
     returning id, retry`,
    [uow.clientId, JSON.stringify(rows)],
  );
  const [, results] = await Promise.all([held, settled]);
  return retriesById(results);
}

function planOf({ message, attempt }: Outcome) {
  return attempt.outcome === 'DELIVERED' ? undefined : retryPlan(attempt, message.failedRetries + 1);
}
