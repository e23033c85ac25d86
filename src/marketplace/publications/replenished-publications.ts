import type { UnitOfWork } from '../../persistence/database.ts';
import { CAUSES_MAX, type AttentionItem } from '../../activity/causes.ts';
import { pausedWithStock, readPublications } from './publications.queries.ts';

/**
 * Publications that were paused because they, or their agreement, ran out, and have units again: a freeze was released
 * or expired, or units were added. No job publishes them again, so an operator must.
 */
export async function replenishedPublications(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  const paused = await pausedWithStock(uow);
  const publications = await readPublications(uow, [...paused.keys()], now);
  return publications
    .map(({ availableStock: own, agreementAvailable: shared = own, ...rest }) => ({
      ...rest,
      unitsLeft: Math.min(own, shared),
    }))
    .filter(({ unitsLeft }) => unitsLeft > 0)
    .slice(0, CAUSES_MAX)
    .map(({ id, name, unitsLeft }) => ({
      about: id,
      subjectId: id,
      subject: name,
      unitsLeft,
      since: paused.get(id) ?? undefined,
      severity: 'WARNING',
    }));
}
