import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListAccountsRequest, ListAccountsResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type PagedList, pagedList, wholeList, type WholeListPlace } from '../persistence/lists/list-page.ts';
import { type ListedAccount, toAccountMessage } from './account.ts';
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

const ACCOUNTS: PagedList = {
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
  orderable: {
    createdAt: { column: 'created_at' },
    externalId: { column: 'external_id', nullable: true },
    email: { column: 'email', nullable: true },
    name: { column: 'name', nullable: true },
  },
  searched: { ids: ['id'], words: ['external_id'], beginnings: ['external_id'], parts: ['email', 'name'] },
};

const accountPage = pagedList<ListedAccountRow>(ACCOUNTS);
const allAccounts = wholeList<ListedAccountRow>(ACCOUNTS);

/**
 * The accounts that {@link listAccounts} lists, in that order, so many at once and each time from behind the last one on.
 * @throws DomainError `BAD_REQUEST`, as there
 */
export async function accountsOfList(
  uow: UnitOfWork,
  asked: Parameters<typeof allAccounts>[1],
): Promise<{ readonly accounts: ListedAccount[]; readonly next: WholeListPlace | undefined }> {
  const { rows, next } = await allAccounts(uow, asked);
  return { accounts: rows.map(listedAccountOf), next };
}
