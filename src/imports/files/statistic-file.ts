import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { type Amount, amountFromNumber } from '../../kernel/amount.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { rankCorrected } from '../../leaderboards/entries/rank-accounts.ts';
import { correctStatistics, type StatisticCorrection } from '../../statistics/values/correct-statistic.ts';
import { refusalOf, type RefusedRow } from '../refusals.queries.ts';
import type { Batch, FileKind, ReadRow } from './file-kind.ts';

/** A row of a file of statistics. */
type StatisticItem = {
  readonly externalId: string;
  readonly code: string;
  readonly periodKey: string | undefined;
  readonly value: Amount;
};

/** A value as digits with a decimal point. */
const VALUE = /^-?\d+(?:\.\d+)?$/;

/** Files of values of statistics, which replace those that accounts have. Accounts must exist: a file of accounts is loaded first. */
export const statisticFile: FileKind<StatisticItem> = {
  columns: { required: 'externalId', alsoRequired: ['statistic', 'value'], keyWith: 'statistic', optional: ['period'] },
  read(_, cell) {
    const [externalId, code] = [cell('externalId'), cell('statistic')];
    if (externalId === undefined) throw badRequest('The externalId is empty. Send your own id of the account.');
    if (code === undefined) throw badRequest('The statistic is empty. Send its code.');
    const text = cell('value') ?? '';
    if (!VALUE.test(text))
      throw badRequest(
        sentence`The value must be digits with a decimal point, such as 1250.5; '${text.slice(0, 80)}' is not.`,
      );
    return { externalId, code, periodKey: cell('period'), value: amountFromNumber(Number(text), 'value') };
  },
  apply: (batch) => batch.db.unitOfWork(batch.clientId, (uow) => applyValues(uow, batch)),
};

async function applyValues(uow: UnitOfWork, { rows, now, hold, record }: Batch<StatisticItem>): Promise<void> {
  await hold(uow);
  const externalIds = rows.map(({ item }) => item.externalId);
  const { find } = indexAccounts(await selectAccounts(uow, { ids: [], externalIds }, 'change'));
  const refusals: RefusedRow[] = [];
  const named: { readonly row: ReadRow<StatisticItem>; readonly correction: StatisticCorrection }[] = [];
  for (const row of rows) {
    const { externalId, ...content } = row.item;
    const account = find({ externalId });
    if (account !== undefined) named.push({ row, correction: { ...content, accountId: account.id } });
    else
      refusals.push(refusalOf(row.location, sentence`No account has this externalId. Load a file of accounts first.`));
  }
  const corrections = named.map(({ correction }) => correction);
  const corrected = await correctStatistics(uow, corrections, now, 'period');
  await rankCorrected(uow, corrections, corrected, now);
  let unchanged = 0;
  let updated = 0;
  for (const [index, outcome] of corrected.entries()) {
    const { row, correction } = named[index]!;
    if (outcome instanceof DomainError) refusals.push(refusalOf(row.location, outcome.sentence));
    else if (outcome.before === correction.value) unchanged += 1;
    else updated += 1;
  }
  await record(uow, { created: 0, updated, unchanged }, refusals);
}
