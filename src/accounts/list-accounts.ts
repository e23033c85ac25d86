import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListAccountsRequest, ListAccountsResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import { attributeFields } from '../attributes/attribute-fields.ts';
import { declaredAttributes } from '../clients/account-attributes.ts';
import type { Call } from '../clients/call.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import {
  type PagedList,
  pagedList,
  type PageRequest,
  wholeList,
  type WholeListPosition,
} from '../persistence/lists/list-page.ts';
import { type ListedAccount, toAccountMessage } from './account.ts';
import { LISTED_COLUMNS, listedAccountOf, type ListedAccountRow } from './accounts.queries.ts';

/** Lists accounts by page: proto AccountService.ListAccounts. */
export function listAccounts(
  { db, principal }: Call,
  request: ListAccountsRequest,
): Promise<MessageInitShape<typeof ListAccountsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await accountPage(uow, { ...request, more: await attributeColumns(uow, request) });
    return { ...page, rows: page.rows.map((row) => toAccountMessage(listedAccountOf(row))) };
  });
}

const ACCOUNTS: PagedList = {
  // A view with the rows of the table, because PostgreSQL uses the search indexes only through it. See docs/decisions/0002.
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

/** The declared attributes as fields of the list. They are read only if the request may name one. */
async function attributeColumns(uow: UnitOfWork, { filters, orderBy }: PageRequest): Promise<PageRequest['more']> {
  if (filters === undefined && orderBy === undefined) return undefined;
  const { attributes } = await declaredAttributes(uow);
  const fields = attributeFields(attributes, 'attributes');
  return {
    fields: Object.fromEntries(fields.map(({ name, kind, column }) => [name, { kind, column }])),
    orderable: Object.fromEntries(fields.map(({ name, column }) => [name, { column, nullable: true }])),
  };
}

/**
 * The accounts of {@link listAccounts} in its order, read in portions; each portion begins after the last account of the one before.
 * @throws DomainError `BAD_REQUEST`, as {@link listAccounts} does
 */
export async function accountsOfList(
  uow: UnitOfWork,
  asked: Parameters<typeof allAccounts>[1],
): Promise<{ readonly accounts: ListedAccount[]; readonly next: WholeListPosition | undefined }> {
  const { rows, next } = await allAccounts(uow, { ...asked, more: await attributeColumns(uow, asked) });
  return { accounts: rows.map(listedAccountOf), next };
}
