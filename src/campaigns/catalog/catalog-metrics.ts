import { Counter, Gauge, type Registry } from 'prom-client';
import type { CatalogMetrics } from './catalog.ts';

/**
 * Registers the metrics of the catalogue cache: hits, misses and size. They have no client label, because there may be
 * thousands of clients.
 */
export function catalogMetrics(registry: Registry): CatalogMetrics {
  const registers = [registry];
  const lookups = new Counter({
    name: 'laurel_catalog_cache_lookups_total',
    help: "Looks for a client's catalogue in memory, by result (hit, miss). A miss reads it from the database.",
    labelNames: ['result'] as const,
    registers,
  });
  const clients = new Gauge({ name: 'laurel_catalog_cache_clients', help: 'Catalogues in memory.', registers });
  const definitions = new Gauge({
    name: 'laurel_catalog_cache_definitions',
    help: 'Definitions in memory, over all clients; LAUREL_CATALOG_CACHE bounds them.',
    registers,
  });
  const [hits, misses] = [lookups.labels('hit'), lookups.labels('miss')];
  return {
    hit: () => hits.inc(),
    miss: () => misses.inc(),
    kept(clientCount, definitionCount) {
      clients.set(clientCount);
      definitions.set(definitionCount);
    },
  };
}
