import type { UnitOfWork } from '../persistence/database.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { amongScannedSql, LAST_POSITION, scannedRowsSql, rowsAbout } from '../persistence/subjects/rows-of-account.ts';
import { webhookDeliveryTable } from './delivery/webhook-delivery.entity.ts';
import { outboxMessageTable } from './outbox/outbox-message.entity.ts';
import { webhookRetryTable } from './retries/webhook-retry.entity.ts';

const SENT = { kind: 'stays', why: 'Bodies tell what was true when they were made.' } as const;

/** A body about an account contains its internal id. */
const IS_SENT = 'position($3::text in t.body) > 0';
const IS_LOGGED = `(${IS_SENT} or position($3::text in t.response_excerpt) > 0)`;

/**
 * This module's data about an account, in the order of a message's way, so that a sweep finds it in any table. Waiting messages are never
 * sent; the log keeps its rows without bodies and answers.
 */
export const webhookParts: readonly AccountPart[] = [
  rowsAbout({
    name: 'waitingWebhooks',
    table: outboxMessageTable,
    isAbout: IS_SENT,
    without: ['configurationId'],
    erasure: { kind: 'swept', sweep: forgetting('outbox_message') },
    merging: SENT,
  }),
  rowsAbout({
    name: 'webhooksToRetry',
    table: webhookRetryTable,
    isAbout: IS_SENT,
    without: ['configurationId'],
    erasure: { kind: 'swept', sweep: forgetting('webhook_retry') },
    merging: SENT,
  }),
  rowsAbout({
    name: 'webhookDeliveries',
    table: webhookDeliveryTable,
    isAbout: IS_LOGGED,
    erasure: { kind: 'swept', sweep: withoutBodies },
    merging: SENT,
  }),
];

function forgetting(table: 'outbox_message' | 'webhook_retry') {
  return (uow: UnitOfWork, accountId: string, after?: string) =>
    swept(
      uow,
      `with looked as materialized (${scannedRowsSql(table, after)}), gone as (
         delete from ${table} where client_id = $1 and ${amongScannedSql(IS_SENT)}
       ) ${LAST_POSITION}`,
      [accountId, after],
    );
}

function withoutBodies(uow: UnitOfWork, accountId: string, after?: string): Promise<string | undefined> {
  return swept(
    uow,
    `with looked as materialized (${scannedRowsSql('webhook_delivery', after)}), changed as (
       update webhook_delivery set body = null, response_excerpt = null
        where client_id = $1 and ${amongScannedSql(IS_LOGGED)}
     ) ${LAST_POSITION}`,
    [accountId, after],
  );
}

async function swept(
  uow: UnitOfWork,
  sql: string,
  [accountId, after]: readonly [string, string | undefined],
): Promise<string | undefined> {
  const [row] = await uow.query<{ last: string | null }>(sql, [uow.clientId, after ?? null, accountId]);
  return row?.last ?? undefined;
}
