import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  ListJournalEntriesRequest,
  ListJournalEntriesResponseSchema,
} from '../../gen/laurel/admin/v1/journal_admin_service_pb.ts';
import { idsWithAliases } from '../accounts/resolving/aliases.queries.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Call } from '../clients/call.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { checkedText } from '../kernel/text.ts';
import { toJournalMessage } from './journal-message.ts';
import { ENTRY_ID } from './entry-id.ts';
import type { JournalPosition } from './journal-batches.ts';
import { journalEntries, journalEntriesOf } from './read-journal.ts';

/** The default number of entries in a page. */
const LIMIT = 50;

/** Lists the outcomes of events: proto JournalAdminService.ListJournalEntries. */
export function listJournalEntries(
  { db, principal: { clientId } }: Call,
  request: ListJournalEntriesRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListJournalEntriesResponseSchema>> {
  const { limit = LIMIT, cursor, accountId, programmaticCode, operationId, effect, rewarded, since, until } = request;
  const query = {
    programmaticCode: programmaticCode && checkedText(programmaticCode, 'programmaticCode'),
    operationId: operationId && checkedText(operationId, 'operationId'),
    effect,
    rewarded,
    from: since && timestampDate(since),
    until: until && timestampDate(until),
    after: cursor ? positionFrom(cursor) : undefined,
  };
  return db.unitOfWork(clientId, async (uow) => {
    const catalog = await catalogs(uow);
    // One row more than the limit shows whether a next page exists.
    const rows =
      accountId === undefined
        ? await journalEntries(uow, query, limit + 1)
        : await journalEntriesOf(uow, await idsWithAliases(uow, accountId), query, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      rows: shown.map((row) => toJournalMessage(row, catalog)),
      nextCursor: rows.length > limit ? cursorOf(shown.at(-1)!) : undefined,
    };
  });
}

function cursorOf({ recordedAt, id }: JournalPosition): string {
  return `${recordedAt.getTime()}.${id}`;
}

const CURSOR = /^(\d{1,15})\.(.+)$/;

function positionFrom(cursor: string): JournalPosition {
  const [, ms, id] = CURSOR.exec(cursor) ?? [];
  if (ms === undefined || id === undefined || !ENTRY_ID.test(id)) {
    throw badRequest('cursor: Send `nextCursor` of an answer as it is, or leave it out for the first page.');
  }
  return { recordedAt: new Date(Number(ms)), id };
}
