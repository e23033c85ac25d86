import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListStreakFreezesRequest,
  ListStreakFreezesResponseSchema,
} from '../../../gen/laurel/v1/streak_freeze_service_pb.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { toFreezeEntryMessage } from './freeze-message.ts';
import { settleFreezes } from './settle-freezes.ts';
import { freezeEntries } from './streak-freezes.queries.ts';

/** The default number of lines of a page. */
const LIMIT = 50;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lists the ledger of an account's freezes, after it has got a line for each freeze used by now: proto StreakFreezeService. */
export function listStreakFreezes(
  { db, principal, now }: Call,
  request: ListStreakFreezesRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListStreakFreezesResponseSchema>> {
  const { limit = LIMIT, cursor } = request;
  if (cursor !== undefined && !UUID.test(cursor))
    throw badRequest('`cursor` is not a `nextCursor` of this list. Leave it out for the first page.');
  return db.unitOfWork(principal.clientId, async (uow) => {
    const catalog = await catalogs(uow);
    const { freezesMax: most, freezePrice: price } = catalog.streakSettings;
    const found = await findAccountToRead(uow, request);
    const [account] =
      found === undefined ? [] : await selectAccounts(uow, { ids: [found.id], externalIds: [] }, 'change');
    if (account === undefined) return { owned: 0, most, price, rows: [] };
    const owned = await settleFreezes(uow, catalog, account, now);
    // One line more than requested shows whether a next page exists.
    const entries = await freezeEntries(uow, account.id, { limit: limit + 1, before: cursor });
    const shown = entries.slice(0, limit);
    const nextCursor = entries.length > limit ? shown.at(-1)!.id : undefined;
    return { owned, most, price, rows: shown.map((entry) => toFreezeEntryMessage(catalog, entry)), nextCursor };
  });
}
