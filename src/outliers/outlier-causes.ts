import { selectAccounts } from '../accounts/accounts.queries.ts';
import { type AttentionItem, CAUSES_MAX, type CauseReader } from '../activity/causes.ts';
import { outlierThreshold } from '../clients/outlier-threshold.ts';
import { expiredAt } from './measure-outliers.ts';
import type { Measure } from './outlier-rule.ts';
import { outliersAfter } from './outliers.queries.ts';

/** Accounts that were far above the usual within the last day, as the job found them. */
export function outlierCauses(measure: Measure): CauseReader {
  return async (uow, now) => {
    if ((await outlierThreshold(uow)) === 0) return [];
    const outliers = await outliersAfter(uow, { measure, after: expiredAt(now), limit: CAUSES_MAX });
    if (outliers.length === 0) return [];
    const ids = outliers.map(({ accountId }) => accountId);
    const accounts = new Map(
      (await selectAccounts(uow, { ids, externalIds: [] })).map((account) => [account.id, account]),
    );
    return outliers.flatMap(({ accountId, hour, observed, usual }): AttentionItem[] => {
      const account = accounts.get(accountId);
      if (account === undefined) return [];
      const subject = account.externalId ?? accountId;
      const about = { about: accountId, subjectId: accountId, subject, since: hour };
      return [{ ...about, severity: 'WARNING', observed, usual }];
    });
  };
}
