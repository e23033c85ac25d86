import { sentence } from '../../kernel/sentence.ts';
import { DAY } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import { countSince, type PastEvents, pastEvents, type RecentEvents } from '../expressions/count-events.ts';
import type { MissionEntity } from '../missions/mission.entity.ts';
import { type Finding, finding } from './finding.ts';

/** The days of events by which a condition is tried. */
const DAYS = 7;

/** The most events of one code. */
const EVENTS_MAX = 1_000;

/** Milliseconds for all missions of a campaign: the preview is read by a person. */
const TIME_MS = 2_000;

/** One warning for each mission whose expression held for none of the last week's events of its code, if any can be judged. */
export async function conditionWarnings(
  uow: UnitOfWork,
  missions: readonly Pick<MissionEntity, 'id' | 'name'>[],
  catalog: ClientCatalog,
  recentEvents: RecentEvents,
  now: Date,
): Promise<Finding[]> {
  const end = performance.now() + TIME_MS;
  const isOver = () => performance.now() > end;
  const since = now.getTime() - DAYS * DAY;
  const byCode = new Map<string, PastEvents>();
  const warnings: Finding[] = [];
  for (const [index, { id, name }] of missions.entries()) {
    const { programmaticCode: code, conditions } = catalog.rules.missions.get(id) ?? {};
    const events = catalog.events.get(code ?? '');
    if (code === undefined || conditions?.expression === undefined || events === undefined) continue;
    const past =
      byCode.get(code) ?? (await pastEvents(uow, recentEvents, { codes: [code], eventsMax: EVENTS_MAX, isOver }));
    byCode.set(code, past);
    const judged = { code, events, expression: conditions.expression };
    const count = await countSince(past, judged, { since, catalog, isOver });
    const decided = count.examined - count.undecided;
    if (decided === 0 || count.matching > 0) continue;
    warnings.push(
      finding(
        `missions[${index}].conditions.expression`,
        sentence`'${name}' would have counted none of the ${decided} events ${code} of the last ${DAYS} days: its condition held for none of them. Check it in the journal.`,
      ),
    );
  }
  return warnings;
}
