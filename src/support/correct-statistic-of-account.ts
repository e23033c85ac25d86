import {
  AccountAdminService,
  type CorrectStatisticRequest,
  type CorrectStatisticResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { amountFromNumber, amountToNumber, optionalNumber } from '../kernel/amount.ts';
import { correctStatistic } from '../statistics/values/correct-statistic.ts';
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
      const corrected = await correctStatistic(uow, { accountId: account.id, code, periodKey, value }, call.now);
      const { before, message } = corrected;
      const period = message.periodKey === undefined ? '' : ` ${message.periodKey}`;
      const note = `${code}${period} ${optionalNumber(before) ?? '-'} -> ${amountToNumber(value)}`;
      return { answer: { statistic: message }, change: { ...byId(account.id), note } };
    },
  });
}
