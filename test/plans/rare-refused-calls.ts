import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { addToCallCounts, sumByOperation, sumCalls } from '../../src/refused-calls/call-counts.queries.ts';
import {
  deleteCallsOf,
  refusedCalls,
  refusedOrders,
  writeRefusedCalls,
} from '../../src/refused-calls/refused-calls.queries.ts';

/** Sends the statements of refused calls, with each filter alone and all of them. */
export async function sendRefusedCalls(db: Database, clientId: string): Promise<void> {
  const [id, now] = [newId(), new Date()];
  const kind = { clientId, credentialId: id, operation: 'TriggerService.EmitTrigger', code: 'BAD_REQUEST' };
  const call = {
    ...{ ...kind, id, accountToken: false, statusCode: 400, message: 'No.', account: { id } },
    ...{ programmaticCode: 'A', resourceId: undefined, operationId: undefined, field: undefined },
  };
  const { operation, credentialId, code } = kind;
  const filters = [
    { operation },
    { credentialId },
    { code },
    { accountId: id },
    { since: now, until: now, before: id },
  ];
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => writeRefusedCalls(uow, [call]),
    ...filters.map((query) => (uow: UnitOfWork) => refusedCalls(uow, query, 1)),
    (uow) => refusedCalls(uow, Object.assign({}, ...filters), 1),
    (uow) => sumCalls(uow, { since: now, until: now }, 1),
    (uow) => sumByOperation(uow, { since: now, until: now }),
    (uow) => refusedOrders(uow, id, { from: 0, until: 1 }, 1),
    (uow) => deleteCallsOf(uow, id, 1),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
  await db.systemUnitOfWork((uow) => addToCallCounts(uow, [{ ...kind, hour: now, calls: 1 }]));
}
