import type { ExportAccountsRequest } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import type { ListedAccount } from '../../accounts/account.ts';
import { accountsOfList } from '../../accounts/list-accounts.ts';
import { accountsById } from '../../accounts/resolving/resolve-accounts.ts';
import { attributeCell } from '../../attributes/attribute-cells.ts';
import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import {
  audiencesOfAccounts,
  manualAudiences,
  membersAfter,
  type NamedAudience,
} from '../../audiences/audiences.queries.ts';
import { requireAudience } from '../../audiences/require-audience.ts';
import { declaredAttributes } from '../../clients/account-attributes.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { WholeListPosition } from '../../persistence/lists/list-page.ts';
import { attributeColumnOf } from '../files/csv/csv-header.ts';
import type { CellValue } from '../files/csv/csv-text.ts';
import { exportedPages, PAGE } from './exported-pages.ts';

/** Returns the accounts as CSV, with a column for each declared attribute: proto ExportAdminService.ExportAccounts. */
export async function* exportAccounts(
  { db, now, principal: { clientId } }: Call,
  { audienceId, filters, orderBy, search }: ExportAccountsRequest,
): AsyncIterable<{ data: Uint8Array }> {
  if (audienceId !== undefined && [filters, orderBy, search].some((narrowing) => narrowing !== undefined)) {
    throw badRequest('The members of an audience are given whole, by id. Send audienceId alone, or leave it out.');
  }
  const { attributes: declared } = await db.unitOfWork(clientId, declaredAttributes);
  yield* exportedPages<Listed>(db, clientId, {
    columns: [
      ...['id', 'externalId', 'email', 'name', 'timeZone', 'audience', 'createdAt'],
      ...declared.map(({ name }) => attributeColumnOf(name)),
    ],
    async pageAfter(uow, last) {
      const rows =
        audienceId === undefined
          ? await listed(uow, { filters, orderBy, search }, last?.next)
          : await members(uow, audienceId, last, now);
      return { rows, cells: await cellsOf(uow, rows, declared) };
    },
  });
}

/** An account of a page; a deleted member has only a position. */
type Listed = {
  readonly id: string;
  readonly account: ListedAccount | undefined;
  /** The cursor of a list of accounts. */
  readonly next?: WholeListPosition | undefined;
};

async function listed(
  uow: UnitOfWork,
  asked: Pick<ExportAccountsRequest, 'filters' | 'orderBy' | 'search'>,
  after: WholeListPosition | undefined,
): Promise<Listed[]> {
  const { accounts, next } = await accountsOfList(uow, { ...asked, limit: PAGE, after });
  return accounts.map((account) => ({ id: account.id, account, next }));
}

async function members(uow: UnitOfWork, audienceId: string, last: Listed | undefined, now: Date): Promise<Listed[]> {
  const audience = await requireAudience(uow, audienceId);
  const ids = await membersAfter(uow, audience, last?.id ?? NIL_UUID, PAGE, now);
  const accounts = await accountsById(uow, ids);
  return ids.map((id) => ({ id, account: accounts.get(id) }));
}

async function cellsOf(
  uow: UnitOfWork,
  rows: readonly Listed[],
  declared: readonly AttributeDefinition[],
): Promise<CellValue[][]> {
  const accounts = rows.flatMap(({ account }) => account ?? []);
  const audienceOf = await audienceNames(
    uow,
    accounts.map(({ id }) => id),
  );
  return accounts.map(({ id, externalId, email, name, timeZone, attributes, createdAt }) => [
    id,
    ...[externalId, email, name, timeZone, audienceOf(id)].map((text) => text ?? null),
    createdAt,
    ...declared.map((each) => attributeCell(attributes?.[each.name], each) ?? null),
  ]);
}

/** The audience names for a file of accounts: the name, or the id if the name is not unique. */
async function audienceNames(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<(accountId: string) => string | undefined> {
  const audiencesOf = await audiencesOfAccounts(uow, accountIds);
  const joined = await manualAudiences(uow, [
    ...new Set([...audiencesOf.values()].flatMap((joinedAt) => [...joinedAt.keys()])),
  ]);
  const namesakes = Map.groupBy(
    await manualAudiences(
      uow,
      joined.map(({ name }) => name),
    ),
    ({ name }) => name,
  );
  const sorted = joined.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const shown = ({ id, name }: NamedAudience) => (namesakes.get(name)?.length === 1 ? name : id);
  return (accountId) => {
    const first = sorted.find(({ id }) => audiencesOf.get(accountId)?.has(id));
    return first && shown(first);
  };
}
