import { CLIENT_ROWS } from '../persistence/client-row.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { HourOfCalls } from './call-counts.ts';

/** Adds counts of any clients, in a system unit of work; in the order of the key, so that processes never deadlock. */
export async function addToCallCounts(uow: UnitOfWork, counts: readonly HourOfCalls[]): Promise<void> {
  await uow.query(
    `insert into call_count as t (client_id, hour, operation, credential_id, code, calls)
     select c.client_id, r.hour, r.operation, r.credential_id, r.code, r.calls
       from ${CLIENT_ROWS}
       join unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::uuid[], $5::text[], $6::bigint[])
              as r (client_id, hour, operation, credential_id, code, calls) on r.client_id = c.client_id
      order by 1, 2, r.operation collate "C", 4, r.code collate "C"
     on conflict (client_id, hour, operation, credential_id, code) do update set calls = t.calls + excluded.calls`,
    [
      counts.map(({ clientId }) => clientId),
      counts.map(({ hour }) => hour),
      counts.map(({ operation }) => operation),
      counts.map(({ credentialId }) => credentialId),
      counts.map(({ code }) => code),
      counts.map(({ calls }) => calls),
    ],
  );
}

/** The counts to sum up: hours from `since` on and before `until`, of one operation or credential if they are given. */
export type CountsQuery = {
  readonly since: Date;
  readonly until: Date;
  readonly operation?: string | undefined;
  readonly credentialId?: string | undefined;
};

/** The calls of one operation by one credential. */
export type SummedCalls = {
  readonly operation: string;
  readonly credentialId: string;
  readonly calls: number;
  readonly refused: number;
  readonly codes: readonly { readonly code: string; readonly refused: number }[];
};

/** The sums by operation and credential, those with the most refused calls first, at most `limit`. It reads the hours by the key. */
export function sumCalls(
  uow: UnitOfWork,
  { since, until, operation, credentialId }: CountsQuery,
  limit: number,
): Promise<SummedCalls[]> {
  return uow.query(
    `select operation, credential_id as "credentialId", sum(calls)::float8 as calls,
            coalesce(sum(calls) filter (where code <> ''), 0)::float8 as refused,
            coalesce(json_agg(json_build_object('code', code, 'refused', calls) order by calls desc, code collate "C")
              filter (where code <> ''), '[]') as codes
       from (
         select operation, credential_id, code, sum(calls)::float8 as calls from call_count
          where client_id = $1 and hour >= date_trunc('hour', $2::timestamptz, 'UTC') and hour < $3
            and ($4::text is null or operation = $4) and ($5::uuid is null or credential_id = $5)
          group by operation, credential_id, code
       ) of_code
      group by operation, credential_id
      order by refused desc, calls desc, operation collate "C", credential_id limit $6`,
    [uow.clientId, since, until, operation ?? null, credentialId ?? null, limit],
  );
}

/** The calls of one operation. */
export type OperationCalls = { readonly operation: string; readonly calls: number; readonly refused: number };

/** The sums of whole hours by operation, of those with a refused call. It reads the hours by the key. */
export function sumByOperation(
  uow: UnitOfWork,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<OperationCalls[]> {
  return uow.query(
    `select operation, sum(calls)::float8 as calls, sum(calls) filter (where code <> '')::float8 as refused
       from call_count where client_id = $1 and hour >= $2 and hour < $3
      group by operation having bool_or(code <> '')`,
    [uow.clientId, since, until],
  );
}
