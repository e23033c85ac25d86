import { newId } from '../../src/kernel/ids.ts';
import { dueLevels, endReviews, heldLevels, saveLevels } from '../../src/levels/accounts/account-levels.queries.ts';
import { removeDeletedLevels } from '../../src/levels/accounts/remove-levels.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';

/** Sends the statements of levels: states, due reviews and the removal of a deleted track, for a client without levels. */
export async function sendLevels(db: Database, clientId: string): Promise<void> {
  const [accountId, trackId] = [newId(), newId()];
  const now = new Date();
  const held = {
    ...{ code: 'gold', since: now.getTime(), heldValue: undefined, reviewAt: undefined, isWarned: false },
    paid: ['silver', 'gold'],
  };
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => saveLevels(uow, [{ accountId, trackId, held, nextStepAt: now.getTime() }]),
    (uow) => heldLevels(uow, [accountId]),
    (uow) => dueLevels(uow, now, 1),
    (uow) => endReviews(uow, [{ accountId, trackId }]),
    (uow) =>
      uow.query(`insert into deleted_level_track (client_id, track_id, deleted_at) values ($1, $2, 'epoch')`, [
        uow.clientId,
        trackId,
      ]),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
  await removeDeletedLevels(db, clientId, now);
}
