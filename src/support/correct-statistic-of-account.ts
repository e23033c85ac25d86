import {
  AccountAdminService,
  type CorrectStatisticRequest,
  type CorrectStatisticResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { amountFromNumber, amountToNumber, optionalNumber } from '../kernel/amount.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { rankCorrected } from '../leaderboards/entries/rank-accounts.ts';
import { correctStatistics } from '../statistics/values/correct-statistic.ts';
import { toStatisticMessage } from '../statistics/values/statistic-message.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Sets the value of a statistic: proto AccountAdminService.CorrectStatistic. */
export function correctStatisticOfAccount(
  call: Call,
  request: CorrectStatisticRequest,
): Promise<CorrectStatisticResponse> {
  const { accountId, idType, code, periodKey } = request;
  const value = amountFromNumber(request.value!, '`value`');
  return runSupportAction(call, {
    method: AccountAdminService.method.correctStatistic,
    request,
    content: [...namedAccount(idType, accountId), code, `${periodKey}`, `${value}`],
    async work(uow) {
      const account = await lockAccount(uow, { accountId, idType }, 'change');
      const correction = { accountId: account.id, code, periodKey, value };
      const [corrected] = await correctStatistics(uow, [correction], call.now);
      if (corrected instanceof DomainError) throw corrected;
      await rankCorrected(uow, [correction], [corrected!], call.now);
      const { before, definition, span } = corrected!;
      const message = toStatisticMessage(definition, span, value);
      const period = message.periodKey === undefined ? '' : ` ${message.periodKey}`;
      const note = `${code}${period} ${optionalNumber(before) ?? '-'} -> ${amountToNumber(value)}`;
      return { answer: { statistic: message }, change: { ...byId(account.id), note } };
    },
  });
}
