import type { MissionPlan } from '../../engine/missions/mission-plan.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type AttentionItem, CAUSES_MAX, type CauseReader } from '../../activity/causes.ts';
import type { Catalogs, ClientCatalog } from '../catalog/catalog.ts';
import { countSince, pastEvents, type RecentEvents } from './count-events.ts';

/** The events of one code by which its missions are judged, and the fewest of them. */
const EVENTS_MAX = 1_000;
const EVENTS_MIN = 100;

/** The part of the events from which a mission needs attention. */
const LACKING_SHARE = 0.01;

/** Milliseconds for all missions of a client; the others are judged the next time. */
const TIME_MS = 1_000;

/** Milliseconds for which a result is valid: every overview and every alert asks for it. */
const VALID_MS = 60_000;

/** Clients whose results are kept. */
const CLIENTS_MAX = 1_000;

/**
 * Running missions whose expressions lacked an attribute in more than 1 % of the last 1,000 events of their codes. The events are those of
 * the journal since the mission began, with the accounts as they are now.
 */
export function lackingConditions(catalogs: Catalogs, recentEvents: RecentEvents): CauseReader {
  const known = new Map<string, { readonly at: number; readonly items: readonly AttentionItem[] }>();
  return async (uow, now) => {
    const last = known.get(uow.clientId);
    if (last !== undefined && Math.abs(now.getTime() - last.at) < VALID_MS) return last.items;
    const items = await lackingNow(uow, await catalogs(uow), recentEvents, now);
    known.delete(uow.clientId);
    known.set(uow.clientId, { at: now.getTime(), items });
    for (const oldest of known.keys()) {
      if (known.size <= CLIENTS_MAX) break;
      known.delete(oldest);
    }
    return items;
  };
}

async function lackingNow(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  recentEvents: RecentEvents,
  now: Date,
): Promise<AttentionItem[]> {
  const end = performance.now() + TIME_MS;
  const isOver = () => performance.now() > end;
  const running = catalog.rules.missions
    .values()
    .filter((plan) => plan.conditions.expression !== undefined && isRunning(plan, now.getTime()));
  const items: AttentionItem[] = [];
  for (const [code, plans] of Map.groupBy(running, ({ programmaticCode }) => programmaticCode)) {
    if (items.length >= CAUSES_MAX || isOver()) break;
    const events = catalog.events.get(code);
    if (events === undefined) continue;
    const past = await pastEvents(uow, recentEvents, { codes: [code], eventsMax: EVENTS_MAX, isOver });
    for (const plan of plans) {
      const since = Math.max(plan.opensAt, plan.countsFrom);
      const judged = { code, events, expression: plan.conditions.expression! };
      const { examined, lacking } = await countSince(past, judged, { since, catalog, isOver });
      if (examined < EVENTS_MIN || lacking <= examined * LACKING_SHARE) continue;
      const { missionId, campaign } = plan;
      const subject = catalog.missions.get(missionId)?.name ?? '';
      const about = { about: missionId, subjectId: missionId, subject, campaignId: campaign?.campaignId };
      items.push({ ...about, severity: 'WARNING', count: lacking });
    }
  }
  return items.slice(0, CAUSES_MAX);
}

function isRunning({ campaign, closesAt }: MissionPlan, now: number): boolean {
  return now < closesAt && (campaign === undefined || campaign.status === 'ACTIVE');
}
