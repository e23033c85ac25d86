import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPointEntriesRequest,
  ListPointEntriesResponseSchema,
} from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { findAccountToRead } from '../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../clients/call.ts';
import { entriesBefore } from './loyalty.queries.ts';
import { microsFromTimestamp } from './micros.ts';
import { toPointEntryMessage } from './point-entry-message.ts';
import { settledBalance } from './settled-balance.ts';

/** The default limit of entries. */
const DEFAULT_LIMIT = 100;

/** Returns an account's ledger, newest first: proto LoyaltyService.ListPointEntries. */
export function listPointEntries(
  { db, principal, now }: Call,
  request: ListPointEntriesRequest,
): Promise<MessageInitShape<typeof ListPointEntriesResponseSchema>> {
  const { limit = DEFAULT_LIMIT, before } = request;
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, request);
    if (account === undefined) return { entries: [] };
    await settledBalance(uow, account.id, now);
    const entries = await entriesBefore(uow, account.id, limit, before && microsFromTimestamp(before));
    return { entries: entries.map(toPointEntryMessage) };
  });
}
