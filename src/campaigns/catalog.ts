import { everyoneAudienceIds } from '../audiences/audiences.queries.ts';
import { catalogVersion } from '../clients/catalog-version.ts';
import { clientTimeZone } from '../clients/client-time-zone.ts';
import { type Catalog, compileCatalog } from '../engine/catalog.ts';
import type { EventType } from '../engine/validate-mission.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { RewardDefinition } from '../rewards/reward-definition.ts';
import { loadRewards } from '../rewards/rewards.queries.ts';
import { campaignTable } from './campaign.entity.ts';
import { eventTypes } from './event-definitions.queries.ts';
import { type MissionEntity, missionTable } from './mission.entity.ts';
import { campaignRule, missionRule } from './rules.ts';

/** Every definition of one client that events and reads need: a snapshot, kept in memory until a definition changes. */
export type ClientCatalog = {
  readonly rules: Catalog;
  readonly eventTypes: ReadonlyMap<string, EventType>;
  /** The texts of the missions, by id. */
  readonly missions: ReadonlyMap<string, MissionEntity>;
  readonly rewards: ReadonlyMap<string, RewardDefinition>;
  /** Audiences that every account is in. */
  readonly everyoneAudienceIds: readonly string[];
  /** IANA zone of accounts that have none of their own. */
  readonly timeZone: string;
};

/** Gives the catalogue of the client whose unit of work it is, as of this transaction. */
export type Catalogs = (uow: UnitOfWork) => Promise<ClientCatalog>;

/** Catalogues kept at once; beyond it the one that was used longest ago is read again when it is needed. */
const CATALOGS_MAX = 1_000;

/**
 * The catalogues of all clients. Every unit of work reads, at its first use, the client's catalogue number, one row by its primary key, so that no
 * event is ever judged by definitions that had changed before its transaction began.
 */
export function createCatalogs(): Catalogs {
  const kept = new Map<string, { version: bigint; catalog: ClientCatalog }>();
  const asked = new WeakMap<UnitOfWork, Promise<ClientCatalog>>();

  async function current(uow: UnitOfWork): Promise<ClientCatalog> {
    // The number first: definitions that change in between are read again under the next number.
    const version = await catalogVersion(uow);
    const known = kept.get(uow.clientId);
    const entry = known?.version === version ? known : { version, catalog: await loadCatalog(uow) };
    kept.delete(uow.clientId);
    kept.set(uow.clientId, entry);
    if (kept.size > CATALOGS_MAX) kept.delete(kept.keys().next().value!);
    return entry.catalog;
  }

  return (uow) => {
    const catalog = asked.get(uow) ?? current(uow);
    asked.set(uow, catalog);
    return catalog;
  };
}

async function loadCatalog(uow: UnitOfWork): Promise<ClientCatalog> {
  const mine = { clientId: uow.clientId };
  // Missions before their campaigns, and rewards after both: definitions that are created meanwhile then appear without
  // their parts, and never parts of what was not read.
  const missions = await uow.em.find(missionTable, { ...mine, active: true }, { disableIdentityMap: true });
  const campaigns = await uow.em.find(campaignTable, mine, { disableIdentityMap: true });
  return {
    rules: compileCatalog(missions.map(missionRule), campaigns.map(campaignRule)),
    eventTypes: await eventTypes(uow),
    missions: new Map(missions.map((mission) => [mission.id, mission])),
    rewards: await loadRewards(uow),
    everyoneAudienceIds: await everyoneAudienceIds(uow),
    timeZone: await clientTimeZone(uow),
  };
}
