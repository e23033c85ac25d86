import { catalogVersion } from '../../clients/catalog-version.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { createCatalogCache } from './catalog-cache.ts';
import type { ClientCatalog } from './client-catalog.ts';
import { loadCatalog } from './load-catalog.ts';
import { DEFAULT_SETTINGS } from '../../kernel/default-settings.ts';

export type { CatalogMission, ClientCatalog } from './client-catalog.ts';

/** The catalogues of all clients. */
export type Catalogs = {
  /** The catalogue of the unit of work's client, as of this transaction. */
  (uow: UnitOfWork): Promise<ClientCatalog>;
  /** The catalogue that this process used last, for estimates only: it may be out of date, and is undefined before the first use. */
  lastKnown(clientId: string): ClientCatalog | undefined;
};

export type CatalogsOptions = {
  /** The most definitions in memory, for all clients. */
  readonly definitionsMax?: number | undefined;
  readonly metrics?: CatalogMetrics | undefined;
};

/** Metrics of the cache of catalogues. */
export type CatalogMetrics = {
  hit(): void;
  miss(): void;
  /** The current size of the cache. */
  kept(clients: number, definitions: number): void;
};

/** The definitions that each client counts as in the cache, besides its own. */
const CLIENT_WEIGHT = 5;

/**
 * The catalogues of all clients. The first use in a unit of work reads the version of the client's catalogue, one row by its primary key.
 * So no event is decided by definitions that had changed before its transaction began.
 */
export function createCatalogs({
  definitionsMax = DEFAULT_SETTINGS.catalogDefinitions,
  metrics,
}: CatalogsOptions = {}): Catalogs {
  const cache = createCatalogCache<ClientCatalog>({ weightMax: definitionsMax, weigh: definitionsOf });
  const asked = new WeakMap<UnitOfWork, Promise<ClientCatalog>>();
  const loading = new Map<string, { readonly version: bigint; readonly catalog: Promise<ClientCatalog> }>();

  async function current(uow: UnitOfWork): Promise<ClientCatalog> {
    // The version comes first: definitions that change in between are read again under the next version.
    const version = await catalogVersion(uow);
    const known = cache.get(uow.clientId);
    if (known?.version === version) {
      metrics?.hit();
      return known.value;
    }
    metrics?.miss();
    return (await loadedByAnother(uow, version)) ?? load(uow, version);
  }

  /**
   * The catalogue from another caller that is reading the same version, so that a large one is not read twice. Undefined if that caller
   * fails.
   */
  async function loadedByAnother(uow: UnitOfWork, version: bigint): Promise<ClientCatalog | undefined> {
    const other = loading.get(uow.clientId);
    if (other?.version !== version) return undefined;
    return other.catalog.catch(() => undefined);
  }

  async function load(uow: UnitOfWork, version: bigint): Promise<ClientCatalog> {
    const mine = { version, catalog: loadCatalog(uow) };
    loading.set(uow.clientId, mine);
    try {
      const value = await mine.catalog;
      cache.set(uow.clientId, { version, value });
      metrics?.kept(cache.size, cache.weight);
      return value;
    } finally {
      if (loading.get(uow.clientId) === mine) loading.delete(uow.clientId);
    }
  }

  const catalogs = (uow: UnitOfWork) => {
    const catalog = asked.get(uow) ?? current(uow);
    asked.set(uow, catalog);
    return catalog;
  };
  return Object.assign(catalogs, { lastKnown: (clientId: string) => cache.peek(clientId) });
}

function definitionsOf({
  missions,
  rewards,
  events,
  rules,
  statistics,
  levelTracks,
  leaderboards,
}: ClientCatalog): number {
  return (
    CLIENT_WEIGHT +
    missions.size +
    rewards.size +
    events.size +
    rules.campaigns.size +
    statistics.byId.size +
    levelTracks.size +
    leaderboards.size
  );
}
