import {
  AccountAdminService,
  type GrantRewardRequest,
  type GrantRewardResponse,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { EarnedRewardSchema } from '../../gen/laurel/v1/reward_pb.ts';
import { suspension } from '../accounts/accounts-of-batch.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../clients/call.ts';
import { isPerson } from '../clients/principal.ts';
import { namedAccount, uuid } from '../idempotency/content.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { countEarnedRewards } from '../leaderboards/entries/count-earned-points.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { RewardDefinition } from '../rewards/definitions/reward-definition.ts';
import { requireReward } from '../rewards/definitions/rewards.queries.ts';
import { requireAccountFormulas } from '../rewards/definitions/account-formula.ts';
import { deliverRewards } from '../rewards/delivery/deliver-rewards.ts';
import { isEarned, type Skip, type SkipReason } from '../rewards/delivery/earned-reward.ts';
import { toEarnedRewardMessage } from '../rewards/delivery/earned-reward-message.ts';
import { runSupportAction, type Waker } from './support-action.ts';

/** Gives a reward to an account, outside of campaigns: proto AccountAdminService.GrantReward. */
export function grantReward(call: Call, request: GrantRewardRequest, dispatcher: Waker): Promise<GrantRewardResponse> {
  const { accountId, idType, operationId } = request;
  const { now, principal } = call;
  const rewardId = request.rewardId.toLowerCase();
  return runSupportAction(call, {
    method: AccountAdminService.method.grantReward,
    request,
    dispatcher,
    content: [...namedAccount(idType, accountId), uuid(rewardId)],
    async work(uow) {
      const account = await requireAccount(uow, { accountId, idType }, 'change');
      const refusal = suspension(account);
      if (refusal) throw refusal;
      const reward = await requireGivable(uow, rewardId);
      const order = { accountId: account.id, reward, operationId: operationId || undefined, now };
      const [outcome] = await deliverRewards(uow, [order], [account]);
      if (!isEarned(outcome!)) throw refusals[outcome!.reason](reward, outcome!);
      await countEarnedRewards(uow, [outcome], now);
      const after = toEarnedRewardMessage(outcome, true);
      return {
        answer: { reward: toEarnedRewardMessage(outcome, isPerson(principal)) },
        change: { schema: EarnedRewardSchema, id: outcome.id, after },
      };
    },
  });
}

/** The error for each reason to refuse the reward. */
const refusals: Readonly<Record<SkipReason, (reward: RewardDefinition, skip: Skip) => DomainError>> = {
  ALREADY_EARNED: ({ name }) =>
    badRequest(sentence`The account has earned the reward '${name}' already and gets it once only. Give another one.`),
  AMOUNT_BELOW_ONE: paysNothing,
  AMOUNT_MISSING: paysNothing,
  BACKFILLED: paysNothing,
};

function paysNothing({ name, amountExpression = '' }: RewardDefinition, { values }: Skip): DomainError {
  const because = values === undefined ? sentence`` : sentence`: ${values}`;
  return new DomainError(
    'REWARD_PAYS_NOTHING',
    sentence`The amount of the reward '${name}' is ${amountExpression}, which pays this account nothing${because}. Give another one.`,
  );
}

async function requireGivable(uow: UnitOfWork, id: string): Promise<RewardDefinition> {
  const reward = await requireReward(uow, id);
  await requireAccountFormulas(uow, [reward], () => 'rewardId');
  if (reward.archivedAt === undefined) return reward;
  throw new DomainError('REWARD_NOT_FOUND', sentence`The reward '${reward.name}' is archived. Give another one.`);
}
