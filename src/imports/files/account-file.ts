import { reviewAgain } from '../../campaigns/streak-risks/streak-risks.queries.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { checkedTexts } from '../../accounts/account-texts.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { EMAIL_FAULT, isEmailAddress } from '../../accounts/email-address.ts';
import { loadAccounts, type ImportedAccount } from '../../accounts/load-accounts.ts';
import { lockAccounts } from '../../accounts/resolving/resolve-accounts.ts';
import { attributeCell, attributesOfCells } from '../../attributes/attribute-cells.ts';
import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import { parseAttributes } from '../../attributes/attribute-values.ts';
import {
  insertMemberships,
  manualAudiences,
  type Membership,
  type NamedAudience,
} from '../../audiences/audiences.queries.ts';
import { declaredAttributes } from '../../clients/account-attributes.ts';
import { checkedTimeZone } from '../../clients/checked-time-zone.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { attributeColumnOf } from './csv/csv-header.ts';
import type { Batch, FileKind, ReadRow } from './file-kind.ts';
import { refusalOf, type RefusedRow } from '../refusals.queries.ts';

/** A row of a file of accounts. */
type AccountItem = Omit<ImportedAccount, 'attributes'> & {
  /** The name or id of an audience to join. */
  readonly audience: string | undefined;
  /** The cells of attributes that are not empty, by name. */
  readonly cells: ReadonlyMap<string, string>;
};

/** The bounds of the protos of accounts, in characters. */
const LENGTHS = { email: 320, name: 255, timeZone: 64 } as const;

/**
 * Files of accounts. An empty cell leaves the stored value unchanged.
 * @param attributes the names of the client's declared attributes of accounts
 */
export function accountFile(attributes: readonly string[]): FileKind<AccountItem> {
  return {
    columns: { required: 'externalId', optional: ['email', 'name', 'timeZone', 'audience'], attributes },
    read(externalId, cell) {
      const stated = checkedTexts({
        externalId,
        email: bounded('email', cell('email')),
        name: bounded('name', cell('name')),
      });
      const timeZone = cell('timeZone');
      const cells = attributes.flatMap((name): Array<[string, string]> => {
        const text = cell(attributeColumnOf(name));
        return text === undefined ? [] : [[name, text]];
      });
      return {
        ...stated,
        externalId,
        timeZone: timeZone === undefined ? undefined : knownTimeZone(timeZone),
        audience: cell('audience'),
        cells: new Map(cells),
      };
    },
    apply: (batch) => batch.db.unitOfWork(batch.clientId, (uow) => applyAccounts(uow, batch)),
  };
}

async function applyAccounts(uow: UnitOfWork, batch: Batch<AccountItem>): Promise<void> {
  const { source, rows, now } = batch;
  await batch.hold(uow);
  const addressed = await checkAddresses(uow, rows);
  const attributed = await readAttributes(uow, addressed.rows);
  const { named, refusals } = await findAudiences(uow, attributed.rows);
  const loaded = await loadAccounts(
    uow,
    named.map(({ row }) => row.item),
    now,
    reviewAgain,
  );
  const accounts = named.map((row, index) => ({ ...row, ...loaded[index]! }));
  const tooLarge = accounts.filter((account) => account.outcome === 'refused');
  const memberships = accounts.flatMap(({ id, audienceId, outcome }): Membership[] => {
    const joined = new Set([source.audienceId, audienceId].filter((each) => each !== undefined));
    return outcome === 'refused' ? [] : [...joined].map((each) => ({ audienceId: each, accountId: id }));
  });
  const joined = await join(uow, memberships, now);
  const created = accounts.filter(({ outcome }) => outcome === 'created').length;
  const unchanged = accounts.filter(({ id, outcome }) => outcome === 'unchanged' && !joined.has(id)).length;
  const counts = { created, unchanged, updated: accounts.length - tooLarge.length - created - unchanged };
  await batch.record(uow, counts, [
    ...addressed.refusals,
    ...attributed.refusals,
    ...refusals,
    ...tooLarge.map(({ row, fault }) => refusalOf(row.location, fault)),
  ]);
}

/** Makes accounts members. They are locked for presence, because one of them may have been merged into another since it was read. */
async function join(uow: UnitOfWork, memberships: readonly Membership[], now: Date): Promise<Set<string>> {
  if (memberships.length === 0) return new Set();
  const ids = new Set(memberships.map(({ accountId }) => accountId));
  const { find } = indexAccounts(await lockAccounts(uow, [...ids], 'presence'));
  const present = memberships.flatMap(({ audienceId, accountId }): Membership[] => {
    const account = find({ id: accountId });
    return account === undefined ? [] : [{ audienceId, accountId: account.id }];
  });
  return insertMemberships(uow, present, now);
}

/** A row whose attributes fit their declarations. */
type AttributedItem = AccountItem & Pick<ImportedAccount, 'attributes'>;

/**
 * Reads the attributes of rows by the declarations of the client; a row with a value that does not fit is refused. A value that the account
 * has already is no change and fits, so that an export can be loaded again after a change of the declarations.
 */
async function readAttributes(
  uow: UnitOfWork,
  rows: ReadonlyArray<ReadRow<AccountItem>>,
): Promise<{ rows: ReadonlyArray<ReadRow<AttributedItem>>; refusals: RefusedRow[] }> {
  const isStated = rows.some(({ item }) => item.cells.size > 0);
  const { attributes: declared } = isStated ? await declaredAttributes(uow) : { attributes: [] };
  const first = rows.map((row) => ({ row, ...attributesOf(row.item.cells, declared) }));
  const doubtful = first.flatMap(({ row, fault }) => (fault === undefined ? [] : [row.item.externalId]));
  const stored = indexAccounts(await selectAccounts(uow, { ids: [], externalIds: doubtful }));
  const read = first.map((each) => {
    if (each.fault === undefined) return each;
    const { cells, externalId } = each.row.item;
    const present = stored.byExternalId.get(externalId)?.attributes ?? {};
    const changes = new Map(cells);
    for (const attribute of declared) {
      const { name } = attribute;
      const cell = attributeCell(present[name], attribute);
      if (cell !== undefined && String(cell) === cells.get(name)) changes.delete(name);
    }
    return { row: each.row, ...attributesOf(changes, declared) };
  });
  return {
    rows: read.flatMap(({ row, attributes, fault }) =>
      fault === undefined ? [{ ...row, item: { ...row.item, attributes } }] : [],
    ),
    refusals: read.flatMap(({ row, fault }) => (fault === undefined ? [] : [refusalOf(row.location, fault)])),
  };
}

type ReadAttributes = { readonly attributes: JsonObject | undefined; readonly fault: Sentence | undefined };

function attributesOf(cells: AccountItem['cells'], declared: readonly AttributeDefinition[]): ReadAttributes {
  if (cells.size === 0) return { attributes: undefined, fault: undefined };
  try {
    const sent = attributesOfCells(cells, declared, 'attributes');
    return { attributes: parseAttributes(sent, declared, 'attributes').json, fault: undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { attributes: undefined, fault: error.sentence };
  }
}

/** Refuses invalid e-mail addresses, unless the account already has the address: an export can be loaded again. */
async function checkAddresses(
  uow: UnitOfWork,
  rows: ReadonlyArray<ReadRow<AccountItem>>,
): Promise<{ rows: ReadonlyArray<ReadRow<AccountItem>>; refusals: RefusedRow[] }> {
  const doubtful = rows.filter(({ item: { email } }) => email !== undefined && !isEmailAddress(email));
  if (doubtful.length === 0) return { rows, refusals: [] };
  const externalIds = doubtful.map(({ item }) => item.externalId);
  const stored = indexAccounts(await selectAccounts(uow, { ids: [], externalIds }));
  const refused = new Set(
    doubtful.filter(({ item }) => stored.byExternalId.get(item.externalId)?.email !== item.email),
  );
  return {
    rows: rows.filter((row) => !refused.has(row)),
    refusals: [...refused].map(({ location }) => refusalOf(location, EMAIL_FAULT)),
  };
}

type NamedRow = { readonly row: ReadRow<AttributedItem>; readonly audienceId: string | undefined };

/** Looks up the audiences of the rows; a row with an audience that accounts cannot join is refused. */
async function findAudiences(
  uow: UnitOfWork,
  rows: ReadonlyArray<ReadRow<AttributedItem>>,
): Promise<{ named: NamedRow[]; refusals: RefusedRow[] }> {
  const names = new Set(rows.flatMap(({ item }) => (item.audience === undefined ? [] : [item.audience])));
  const audiences = await manualAudiences(uow, [...names]);
  const found = new Map([...names].map((name) => [name, audiences.filter((each) => isNamed(each, name))]));
  const named: NamedRow[] = [];
  const refusals: RefusedRow[] = [];
  for (const row of rows) {
    const [audience, another] = found.get(row.item.audience ?? '') ?? [];
    const reason = row.item.audience === undefined ? undefined : audienceFault(row.item.audience, audience, another);
    if (reason === undefined) named.push({ row, audienceId: audience?.id });
    else refusals.push(refusalOf(row.location, reason));
  }
  return { named, refusals };
}

function isNamed({ id, name }: NamedAudience, text: string): boolean {
  return name === text || id === text.toLowerCase();
}

function audienceFault(text: string, one?: NamedAudience, another?: NamedAudience): Sentence | undefined {
  const shown = text.length > 80 ? `${text.slice(0, 80)}...` : text;
  if (one === undefined) {
    return sentence`There is no audience '${shown}' with members of its own. Create it first, or leave the cell empty.`;
  }
  return another === undefined ? undefined : sentence`Several audiences are named '${shown}'. Write the id of one.`;
}

/** A cache of time zones by their spelling: a look-up in the platform takes as long as parsing a row. */
const timeZones = new Map<string, string>();

/** Far more than exist; many spellings in a file must not fill the memory. */
const TIME_ZONES_MAX = 2_000;

function knownTimeZone(text: string): string {
  const known = timeZones.get(text);
  if (known !== undefined) return known;
  const checked = checkedTimeZone(bounded('timeZone', text) ?? text);
  if (timeZones.size < TIME_ZONES_MAX) timeZones.set(text, checked);
  return checked;
}

function bounded(attribute: keyof typeof LENGTHS, text: string | undefined): string | undefined {
  const length = LENGTHS[attribute];
  if (text === undefined || text.length <= length || [...text].length <= length) return text;
  throw badRequest(sentence`${attribute} has ${[...text].length} characters, ${length} at most are allowed.`);
}
