import { newId } from '../kernel/ids.ts';
import { furthest } from '../kernel/time/due.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { CLIENT_ROW } from '../persistence/client-row.ts';
import { type Changes, LEASE_MS, LONGEST_PAUSE_MS } from './alert-rule.ts';
import { alertChannelTable } from './alert-channel.entity.ts';
import { alertSettingTable } from './alert-setting.entity.ts';
import { alertTable } from './alert.entity.ts';
import type { ChannelKind } from './channel-kind.ts';

const SETTING = propertiesOf(alertSettingTable, [
  'clientId',
  'endpoint',
  'signingSecretSealed',
  'recipients',
  'causes',
  'language',
  'quietFrom',
  'quietTo',
  'quietZone',
  'reminderHours',
  'version',
  'updatedAt',
]);

/** The stored settings of a client. */
export type StoredSetting = RowOf<typeof SETTING>;

const CHANNEL = propertiesOf(alertChannelTable, [
  'kind',
  'leaseId',
  'leaseUntil',
  'lastSentAt',
  'failures',
  'failingSince',
  'nextAttemptAt',
  'lastError',
]);

/** The stored state of a channel. */
export type StoredChannel = RowOf<typeof CHANNEL>;

const ALERT = propertiesOf(alertTable, ['id', 'causeKey', 'goneSince', 'webhookToldAt', 'emailToldAt']);

/** A stored alert, from the discovery of its cause to its end. */
export type StoredAlert = RowOf<typeof ALERT>;

/** The column of an alert with the time of a channel's last report. */
const NOTIFIED_AT: Readonly<Record<ChannelKind, string>> = { WEBHOOK: 'webhook_told_at', EMAIL: 'email_told_at' };

/**
 * Locks the alerts of the causes until the transaction ends, because checks and sending change them at the same time. The statement that
 * changes them finds them by {@link lockedRows}.
 */
async function lockAlerts(uow: UnitOfWork, causeKeys: readonly string[]): Promise<void> {
  const held = lookUpByKey({ select: '1', from: 'alert', key: { cause_key: 'wanted.key' }, lock: 'for update' });
  await uow.query(`select from unnest($2::text[]) as wanted(key) cross join ${held} held`, [
    uow.clientId,
    causeKeys.toSorted(),
  ]);
}

/** The alerts under `source` of the causes `$2`, which are locked; `k` in the statement. */
const heldAlerts = (source: string, and?: string) =>
  lockedRows({
    source,
    alias: 'k',
    keys: '$2::text[]',
    table: 'alert',
    key: { cause_key: 'k.cause_key' },
    ...(and !== undefined && { and }),
  });

/** The clients with an endpoint or recipients, in a system unit of work. */
export async function clientsWithAlerts(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select client_id as id from alert_setting where endpoint is not null or recipients <> '[]' order by client_id`,
  );
  return rows.map(({ id }) => id);
}

/** The settings of the client, if it has any. */
export async function findSetting(uow: UnitOfWork): Promise<StoredSetting | undefined> {
  const [row] = await uow.query<StoredSetting>(`select ${SETTING} from alert_setting where client_id = $1`, [
    uow.clientId,
  ]);
  return row;
}

/** The settings of the client, locked until the transaction ends. */
export async function lockSetting(uow: UnitOfWork): Promise<StoredSetting | undefined> {
  const [row] = await uow.query<StoredSetting>(`select ${SETTING} from alert_setting where client_id = $1 for update`, [
    uow.clientId,
  ]);
  return row;
}

/** The settings of the client, locked if no other transaction has locked them; otherwise undefined. */
export async function lockSettingIfFree(uow: UnitOfWork): Promise<StoredSetting | undefined> {
  const [row] = await uow.query<StoredSetting>(
    `select ${SETTING} from alert_setting where client_id = $1 for update skip locked`,
    [uow.clientId],
  );
  return row;
}

/** The stored form of settings. */
export type SettingContent = Omit<StoredSetting, 'clientId' | 'version' | 'updatedAt'>;

/**
 * Stores settings. The transaction has locked their row, if it exists.
 * @returns undefined if there was no row before and another transaction has stored one since
 */
export async function storeSetting(
  uow: UnitOfWork,
  content: SettingContent,
  { version, now }: { readonly version: number; readonly now: Date },
): Promise<StoredSetting | undefined> {
  const [row] = await uow.query<StoredSetting>(
    `insert into alert_setting as s (client_id, endpoint, signing_secret_sealed, recipients, causes, language, quiet_from,
                                     quiet_to, quiet_zone, reminder_hours, version, created_at, updated_at)
     values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, $9, $10, $11, $12, $12)
     on conflict (client_id) do update
        set endpoint = excluded.endpoint, signing_secret_sealed = excluded.signing_secret_sealed,
            recipients = excluded.recipients, causes = excluded.causes, language = excluded.language,
            quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, quiet_zone = excluded.quiet_zone,
            reminder_hours = excluded.reminder_hours, version = excluded.version, updated_at = excluded.updated_at
      where s.version = excluded.version - 1
     returning ${SETTING}`,
    [
      uow.clientId,
      content.endpoint,
      content.signingSecretSealed,
      JSON.stringify(content.recipients),
      JSON.stringify(content.causes),
      content.language,
      content.quietFrom,
      content.quietTo,
      content.quietZone,
      content.reminderHours,
      version,
      now,
    ],
  );
  return row;
}

/** The client's channels with at least one attempt. */
export function channelsOf(uow: UnitOfWork): Promise<StoredChannel[]> {
  return uow.query(`select ${CHANNEL} from alert_channel where client_id = $1 order by kind`, [uow.clientId]);
}

/** Resets the state of channels whose address has changed. A message on its way to the old address then changes no row. */
export async function resetChannels(uow: UnitOfWork, kinds: readonly ChannelKind[]): Promise<void> {
  if (kinds.length === 0) return;
  const key = { kind: 'k.kind' };
  const held = lookUpByKey({ select: '1', from: 'alert_channel', key, lock: 'for update' });
  const values = [uow.clientId, kinds.toSorted()];
  await uow.query(`select from unnest($2::text[]) as k(kind) cross join ${held} held`, values);
  const source = 'unnest($2::text[]) as k(kind)';
  await uow.query(
    `delete from alert_channel c using ${lockedRows({ source, alias: 'k', keys: '$2::text[]', table: 'alert_channel', key })}
      where c.client_id = $1 and c.ctid = k.row_ctid`,
    values,
  );
}

/** The client's alerts, oldest first. */
export function openAlerts(uow: UnitOfWork): Promise<StoredAlert[]> {
  return uow.query(`select ${ALERT} from alert where client_id = $1 order by opened_at, id`, [uow.clientId]);
}

/** Stores the changes to the client's alerts. Deletes ended alerts. */
export async function storeChanges(uow: UnitOfWork, { opened, gone, back, ended }: Changes, now: Date): Promise<void> {
  if (opened.length > 0)
    await uow.query(
      `insert into alert (client_id, id, cause_key, opened_at)
       select client_row.client_id, found.id, found.cause_key, $4
         from ${CLIENT_ROW} cross join unnest($2::uuid[], $3::text[]) as found (id, cause_key)
       on conflict (client_id, cause_key) do nothing`,
      [uow.clientId, opened.map(() => newId()), opened, now],
    );
  const changed = [...gone, ...back, ...ended];
  if (changed.length === 0) return;
  await lockAlerts(uow, changed);
  const held = heldAlerts('unnest($2::text[]) as k(cause_key)');
  const set = async (keys: readonly string[], goneSince: Date | null) => {
    if (keys.length > 0)
      await uow.query(
        `update alert a set gone_since = $3 from ${held} where a.client_id = $1 and a.ctid = k.row_ctid`,
        [uow.clientId, keys, goneSince],
      );
  };
  await set(gone, now);
  await set(back, null);
  if (ended.length > 0)
    await uow.query(`delete from alert a using ${held} where a.client_id = $1 and a.ctid = k.row_ctid`, [
      uow.clientId,
      ended,
    ]);
}

/**
 * Claims a channel for one message, unless the channel is sending or pauses after a failure. One statement decides, so only one of two
 * processes gets the channel. The moments are calculated here (`isDue` of the kernel), because Citus refuses that in ON CONFLICT.
 */
export async function claimChannel(
  uow: UnitOfWork,
  kind: ChannelKind,
  { leaseId, leaseUntil, now }: { readonly leaseId: string; readonly leaseUntil: Date; readonly now: Date },
): Promise<boolean> {
  const rows = await uow.query(
    `insert into alert_channel as c (client_id, kind, lease_id, lease_until) values ($1, $2, $3, $4)
     on conflict (client_id, kind) do update set lease_id = excluded.lease_id, lease_until = excluded.lease_until
      where (c.lease_until is null or c.lease_until <= $5 or c.lease_until > $6)
        and (c.next_attempt_at is null or c.next_attempt_at <= $5 or c.next_attempt_at > $7)
     returning 1 as claimed`,
    [uow.clientId, kind, leaseId, leaseUntil, now, furthest(now, LEASE_MS), furthest(now, LONGEST_PAUSE_MS)],
  );
  return rows.length > 0;
}

/** The failed attempts of a channel that is still claimed for the message; undefined if it is not. */
export async function lockClaimedChannel(
  uow: UnitOfWork,
  kind: ChannelKind,
  leaseId: string,
): Promise<number | undefined> {
  const [row] = await uow.query<{ failures: number }>(
    'select failures from alert_channel where client_id = $1 and kind = $2 and lease_id = $3 for update',
    [uow.clientId, kind, leaseId],
  );
  return row?.failures;
}

/** Records that a channel has reported alerts. */
export async function storeSent(
  uow: UnitOfWork,
  kind: ChannelKind,
  how: { readonly alerts: readonly StoredAlert[]; readonly error?: string | null; readonly now: Date },
): Promise<void> {
  const { alerts, error = null, now } = how;
  const causeKeys = alerts.map(({ causeKey }) => causeKey);
  await lockAlerts(uow, causeKeys);
  // The statement matches the id as well: a cause that has returned is another alert, which was not reported yet.
  const held = heldAlerts('unnest($2::text[], $3::uuid[]) as k(cause_key, id)', 'id = k.id');
  await uow.query(
    `update alert a set ${NOTIFIED_AT[kind]} = $4 from ${held} where a.client_id = $1 and a.ctid = k.row_ctid`,
    [uow.clientId, causeKeys, alerts.map(({ id }) => id), now],
  );
  await uow.query(
    `update alert_channel set lease_id = null, lease_until = null, last_sent_at = $3, last_error = $4, failures = 0,
                              failing_since = null, next_attempt_at = null
      where client_id = $1 and kind = $2`,
    [uow.clientId, kind, now, error],
  );
}

/** Records a failure of a channel, and the time of the next attempt. */
export async function storeFailed(
  uow: UnitOfWork,
  kind: ChannelKind,
  failure: { readonly failures: number; readonly nextAttemptAt: Date; readonly error: string; readonly now: Date },
): Promise<void> {
  await uow.query(
    `update alert_channel set lease_id = null, lease_until = null, failures = $3, next_attempt_at = $4, last_error = $5,
                              failing_since = coalesce(failing_since, $6)
      where client_id = $1 and kind = $2`,
    [uow.clientId, kind, failure.failures, failure.nextAttemptAt, failure.error, failure.now],
  );
}
