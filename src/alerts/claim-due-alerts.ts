import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { CAUSES_MAX, type CauseReaders } from '../activity/causes.ts';
import { type Cause, causesOf } from '../activity/causes-of.ts';
import { changesOf, isDueToSend, LEASE_MS } from './alert-rule.ts';
import {
  claimChannel,
  lockSettingIfFree,
  openAlerts,
  type StoredAlert,
  type StoredSetting,
  storeChanges,
} from './alerts.queries.ts';
import { CHANNEL_KINDS, type ChannelKind } from './channel-kind.ts';
import { isQuiet } from './quiet-hours.ts';

/** The message that one channel must send now; the channel is claimed until the lease ends. */
export type DueMessage = {
  readonly clientId: string;
  readonly kind: ChannelKind;
  readonly leaseId: string;
  readonly alerts: readonly StoredAlert[];
  /** The causes of the alerts, the urgent ones first. */
  readonly causes: readonly Cause[];
  readonly setting: StoredSetting;
};

/**
 * Checks a client for causes in its unit of work, and claims the channels that must report them. If another process
 * checks at the same moment, it returns no messages.
 */
export async function claimDueAlerts(uow: UnitOfWork, now: Date, readers: CauseReaders): Promise<DueMessage[]> {
  const setting = await lockSettingIfFree(uow);
  if (setting === undefined) return [];
  const causes = await causesOf(uow, now, readers, setting.causes);
  const byKey = new Map(causes.map((cause) => [cause.key, cause]));
  const changes = changesOf(await openAlerts(uow), new Set(byKey.keys()), { now, isUnknown: cutOff(causes) });
  await storeChanges(uow, changes, now);
  const { quietFrom: from, quietTo: to, quietZone: timeZone } = setting;
  if (from !== null && to !== null && timeZone !== null && isQuiet({ from, to, timeZone }, now)) return [];
  const alerts = (await openAlerts(uow)).filter(({ causeKey }) => byKey.has(causeKey));
  const messages: DueMessage[] = [];
  for (const kind of CHANNEL_KINDS) {
    if (!isSetUp(setting, kind)) continue;
    const due = alerts.filter((alert) => isDueToSend(lastNotifiedAt(alert, kind), setting.reminderHours, now));
    const lease = { leaseId: newId(), leaseUntil: new Date(now.getTime() + LEASE_MS), now };
    if (due.length === 0 || !(await claimChannel(uow, kind, lease))) continue;
    const keys = new Set(due.map(({ causeKey }) => causeKey));
    const included = causes.filter(({ key }) => keys.has(key));
    messages.push({ clientId: uow.clientId, kind, leaseId: lease.leaseId, alerts: due, causes: included, setting });
  }
  return messages;
}

/** Whether the client has set up this channel. */
export function isSetUp({ endpoint, recipients }: StoredSetting, kind: ChannelKind): boolean {
  return kind === 'WEBHOOK' ? endpoint !== null : recipients.length > 0;
}

/** The time of a channel's last report of an alert. */
export function lastNotifiedAt({ webhookToldAt, emailToldAt }: StoredAlert, kind: ChannelKind): Date | null {
  return kind === 'WEBHOOK' ? webhookToldAt : emailToldAt;
}

/** Whether a kind may have more causes than were read. */
function cutOff(causes: readonly Cause[]): (key: string) => boolean {
  const byKind = Map.groupBy(causes, ({ kind }) => kind);
  const full = [...byKind].filter(([, found]) => found.length >= CAUSES_MAX).map(([kind]) => kind);
  return (key) => full.some((kind) => key === kind || key.startsWith(`${kind}/`));
}
