import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListAccountsRequest, ListAccountsResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import { toAccountMessage } from './account.ts';
import { LISTED_COLUMNS, listedAccountOf, type ListedAccountRow } from './accounts.queries.ts';

/** Lists accounts by page: proto AccountService.ListAccounts. */
export function listAccounts(
  { db, principal }: Call,
  request: ListAccountsRequest,
): Promise<MessageInitShape<typeof ListAccountsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await accountPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toAccountMessage(listedAccountOf(row))) };
  });
}

const accountPage = pagedList<ListedAccountRow>({
  // A view with the rows of the table: only through it may the search indexes be used. See docs/decisions/0002.
  from: 'account_search',
  columns: LISTED_COLUMNS,
  orderBy: ['created_at', 'id'],
  deletable: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    email: { kind: 'text', column: 'email' },
    name: { kind: 'text', column: 'name' },
    externalId: { kind: 'text', column: 'external_id' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
});
