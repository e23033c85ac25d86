import { firstIdAt } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type AttentionItem, WAITING_MAX } from '../../activity/causes.ts';
import { type ReceiverKey, RECEIVERS } from '../configuration/webhook-target.ts';

/** The maximum of attempts to read, over all receivers, and their maximum age. */
const ATTEMPTS_MAX = 2_000;
const OLDEST_MS = 7 * 86_400_000;

/** A failing receiver; `running` if its latest attempts all failed, `since` the first of them. */
type Failing = {
  readonly key: ReceiverKey;
  readonly name: string;
  readonly endpointId: string | null;
  readonly running: boolean;
  readonly since: Date;
  readonly waiting: number;
};

/** Webhooks and endpoints that fail with their current settings; attempts before the last change of settings do not count. */
export async function failingWebhooks(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  const rows = await uow.query<Failing>(
    `with configured as materialized (
       select key, name, endpoint_id, configuration_id, updated_at from ${RECEIVERS} where client_id = $1
     ), recent as materialized (
       select c.key, c.name, c.endpoint_id, d.outcome, d.attempted_at, c.configuration_id
         from (select coalesce(endpoint_id::text, type) as key, outcome, attempted_at from webhook_delivery
                where client_id = $1 and id >= $2 order by client_id desc, id desc limit ${ATTEMPTS_MAX}) d
         join configured c on c.key = d.key and d.attempted_at >= c.updated_at
     ), judged as (
       select configuration_id, key, name, endpoint_id,
              min(attempted_at) filter (where arrived_at is null or attempted_at > arrived_at) as running_since,
              min(attempted_at) filter (where outcome <> 'DELIVERED' and attempted_at > $3) as lately_since,
              count(*) filter (where outcome <> 'DELIVERED' and attempted_at > $3) as lately_failed,
              count(*) filter (where attempted_at > $3) as lately
         from (select *, max(attempted_at) filter (where outcome = 'DELIVERED') over (partition by key) as arrived_at
                 from recent) r
        group by configuration_id, key, name, endpoint_id
     )
     select key, name, endpoint_id as "endpointId", running_since is not null as running, coalesce(running_since, lately_since) as since,
            (select count(*) from (select 1 from webhook_retry w
                                    where w.client_id = $1 and w.configuration_id = judged.configuration_id
                                    limit ${WAITING_MAX}) counted)::int as waiting
       from judged
      where running_since is not null or (lately_failed >= 5 and lately_failed * 5 >= lately)
      order by endpoint_id nulls first, key`,
    [uow.clientId, firstIdAt(new Date(now.getTime() - OLDEST_MS)), new Date(now.getTime() - 3_600_000)],
  );
  return rows.map(({ key, name, endpointId, running, since, waiting }) => ({
    about: key,
    subject: name,
    ...(endpointId !== null && { subjectId: endpointId }),
    since,
    severity: running ? 'URGENT' : 'WARNING',
    ...(waiting > 0 && { count: waiting }),
  }));
}
