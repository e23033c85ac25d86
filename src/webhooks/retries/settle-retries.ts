import { lockRowsSql, lookUpByKey } from '../../persistence/key-lookup.ts';
import { after, isPast } from '../../persistence/moments.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import { LOG_COLUMNS, LOGGED, LOGGED_VALUES, loggedAttempt, loggedValues } from '../delivery/log-rows.ts';
import type { FinishedAttempt } from '../outbox/claimed-message.ts';
import { countOutcomes } from '../outbox/outbox.queries.ts';
import { retriesById } from './plan-retries.ts';
import { type Retry, RETRY_FOR_MS, retryPlan } from './retry-schedule.ts';

/** SQL for the interval of retries after the first attempt. */
const RETRY_FOR = `${RETRY_FOR_MS} * interval '1 ms'`;

/**
 * Records the outcomes of retries: it logs each attempt, and either sets the time of the next one or deletes the row. If the row was
 * deleted or claimed by another process meanwhile, the attempt is only logged; a delivered one ends its message in any case. It may be
 * repeated.
 * @returns the consequence of each failed attempt, by its id
 */
export async function settleRetries(
  uow: UnitOfWork,
  outcomes: readonly FinishedAttempt[],
): Promise<Map<string, Retry>> {
  if (outcomes.length === 0) return new Map();
  const rows = outcomes.map((outcome) => loggedAttempt(outcome, planOf(outcome)));
  const held = uow.query(lockRowsSql('webhook_retry'), [uow.clientId, rows.map((row) => row.message_id).toSorted()]);
  const values = [uow.clientId, ...loggedValues(rows)];
  const logged = uow.query<{ id: string; retry: Retry | null }>(LOG, values);
  const scheduled = uow.query(SCHEDULE, values);
  const ended = uow.query(END, values);
  const [, results] = await Promise.all([held, logged, scheduled, ended]);
  const retries = retriesById(results);
  countOutcomes(uow, outcomes, retries);
  return retries;
}

/** The moment after which no retry follows. */
const LAST = after('r.first_attempt_at', RETRY_FOR);

/** The transaction's time, so that all statements decide alike. */
const NEXT = `least(${after('now()', `l.pause_ms * interval '1 ms'`)}, ${LAST})`;

const VERDICT = `case when l.retry = 'SCHEDULED' and ${LAST} <= now() then 'EXHAUSTED' else l.retry end`;

/** The retry of an attempt; missing if it was deleted or claimed by another process meanwhile. */
const RETRY = lookUpByKey({
  select: 'ctid as row_ctid, id, first_attempt_at',
  from: 'webhook_retry',
  key: { id: 'l.message_id' },
  and: `(l.outcome = 'DELIVERED' or attempts = l.attempt)`,
});

const LOG = `insert into webhook_delivery (client_id, ${LOG_COLUMNS}, retry, retry_at)
     select client_row.client_id, ${LOGGED_VALUES},
            case when l.outcome = 'DELIVERED' then null when r.id is null then 'ENDED' else ${VERDICT} end,
            case when r.id is not null and ${VERDICT} = 'SCHEDULED' then ${NEXT} end
       from ${CLIENT_ROW} cross join ${LOGGED} left join ${RETRY} r on true
     on conflict (client_id, id) do nothing
     returning id, retry`;

/** It has no verdict, because several nodes refuse the time within CASE here. */
const SETTLED = `(select l.*, r.row_ctid, ${LAST} as last, ${NEXT} as next from ${LOGGED} cross join ${RETRY} r) s`;

/** The time of the last retry has passed. */
const OVER = isPast('s.last', 'now()');

const SCHEDULE = `update webhook_retry r
        set failed_retries = s.failed_retries + 1, lease_until = null, last_outcome = s.outcome,
            last_status_code = s.status_code, last_error = s.error, next_attempt_at = s.next
       from ${SETTLED}
      where r.client_id = $1 and r.ctid = s.row_ctid and s.retry = 'SCHEDULED' and not ${OVER}`;

const END = `delete from webhook_retry r using ${SETTLED}
      where r.client_id = $1 and r.ctid = s.row_ctid and (s.retry is distinct from 'SCHEDULED' or ${OVER})`;

function planOf({ message, attempt }: FinishedAttempt) {
  return attempt.outcome === 'DELIVERED' ? undefined : retryPlan(attempt, message.failedRetries + 1);
}
