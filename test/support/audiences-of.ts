import { accountsWithoutAssignments } from '../../src/campaigns/assignments/account-contexts.ts';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import type { AudiencesOf } from '../../src/leaderboards/entries/fill-leaderboards.ts';

/** Reads the audiences of accounts as housekeeping does. */
export function createAudiencesOf(): AudiencesOf {
  const catalogs = createCatalogs();
  return async (uow, accounts, now) => {
    const known = await accountsWithoutAssignments(uow, await catalogs(uow), accounts, { now });
    return new Map([...known].map(([id, { audiences }]) => [id, audiences]));
  };
}
