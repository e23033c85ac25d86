import { nextReached } from '../../src/campaigns/assignments/reached-accounts.queries.ts';
import {
  continueReached,
  endReached,
  lockReachedMission,
  nextReachedMission,
} from '../../src/campaigns/missions/reached-targets.queries.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';

/** Sends the statements of lowered targets, for a client whose missions have none. */
export async function sendMissions(db: Database, clientId: string): Promise<void> {
  const [missionId, accountId] = [newId(), newId()];
  const now = new Date();
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => nextReachedMission(uow, now),
    (uow) => lockReachedMission(uow, missionId, now),
    (uow) => nextReached(uow, { missionId, target: ONE, after: accountId }, 2),
    (uow) => continueReached(uow, missionId, accountId),
    (uow) => endReached(uow, { id: missionId, pass: 1 }, now),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
}
