import { checkedTexts } from '../../accounts/account-texts.ts';
import { accountsByExternalIds } from '../../accounts/accounts.queries.ts';
import { EMAIL_FAULT, isEmailAddress } from '../../accounts/email-address.ts';
import { loadAccounts, type ImportedAccount } from '../../accounts/load-accounts.ts';
import {
  insertMemberships,
  manualAudiences,
  type Membership,
  type NamedAudience,
} from '../../audiences/audiences.queries.ts';
import { checkedTimeZone } from '../../clients/checked-time-zone.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Batch, FileKind, ReadRow } from './file-kind.ts';
import { refusalOf, type RefusedRow } from '../refusals.queries.ts';

/** A row of a file of accounts. */
type AccountItem = ImportedAccount & {
  /** The name or id of an audience to join. */
  readonly audience: string | undefined;
};

/** The bounds of the protos of accounts, in characters. */
const LENGTHS = { email: 320, name: 255, timeZone: 64 } as const;

/** Files of accounts. An empty cell leaves the stored value unchanged. */
export const accountFile: FileKind<AccountItem> = {
  columns: { required: 'externalId', optional: ['email', 'name', 'timeZone', 'audience'] },
  read(externalId, cell) {
    const stated = checkedTexts({
      externalId,
      email: bounded('email', cell('email')),
      name: bounded('name', cell('name')),
    });
    const timeZone = cell('timeZone');
    return {
      ...stated,
      externalId,
      timeZone: timeZone === undefined ? undefined : knownTimeZone(timeZone),
      audience: cell('audience'),
    };
  },
  apply: (batch) => batch.db.unitOfWork(batch.clientId, (uow) => applyAccounts(uow, batch)),
};

async function applyAccounts(uow: UnitOfWork, batch: Batch<AccountItem>): Promise<void> {
  const { source, rows, now } = batch;
  await batch.hold(uow);
  const addressed = await checkAddresses(uow, rows);
  const { named, refusals } = await findAudiences(uow, addressed.rows);
  const accounts = await loadAccounts(
    uow,
    named.map(({ row }) => row.item),
    now,
  );
  const memberships = named.flatMap(({ audienceId }, index): Membership[] => {
    const joined = new Set([source.audienceId, audienceId].filter((id) => id !== undefined));
    return [...joined].map((each) => ({ audienceId: each, accountId: accounts[index]!.id }));
  });
  const joined = await insertMemberships(uow, memberships, now);
  const created = accounts.filter(({ outcome }) => outcome === 'created').length;
  const unchanged = accounts.filter(({ id, outcome }) => outcome === 'unchanged' && !joined.has(id)).length;
  const counts = { created, unchanged, updated: accounts.length - created - unchanged };
  await batch.record(uow, counts, [...addressed.refusals, ...refusals]);
}

/** Refuses invalid e-mail addresses, unless the account already has the address: an export can be loaded again. */
async function checkAddresses(
  uow: UnitOfWork,
  rows: ReadonlyArray<ReadRow<AccountItem>>,
): Promise<{ rows: ReadonlyArray<ReadRow<AccountItem>>; refusals: RefusedRow[] }> {
  const doubtful = rows.filter(({ item: { email } }) => email !== undefined && !isEmailAddress(email));
  if (doubtful.length === 0) return { rows, refusals: [] };
  const externalIds = doubtful.map(({ item }) => item.externalId);
  const stored = new Map(
    (await accountsByExternalIds(uow, externalIds)).map(({ externalId, email }) => [externalId, email]),
  );
  const refused = new Set(doubtful.filter(({ item }) => stored.get(item.externalId) !== item.email));
  return {
    rows: rows.filter((row) => !refused.has(row)),
    refusals: [...refused].map(({ location }) => refusalOf(location, EMAIL_FAULT)),
  };
}

type NamedRow = { readonly row: ReadRow<AccountItem>; readonly audienceId: string | undefined };

/** Looks up the audiences of the rows; a row with an audience that accounts cannot join is refused. */
async function findAudiences(
  uow: UnitOfWork,
  rows: ReadonlyArray<ReadRow<AccountItem>>,
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
