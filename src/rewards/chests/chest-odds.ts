import type { CreateChestDefinitionRequest } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { ChestEntry, ChestOdds } from '../../engine/chest-roll.ts';
import { requireGivenRewards } from '../definitions/given-rewards.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/**
 * The odds of a request.
 * @throws DomainError `BAD_REQUEST` for entries that are neither guaranteed nor weighted, or weights above their total
 */
export function oddsOf(request: Pick<CreateChestDefinitionRequest, 'entries' | 'totalWeight'>): ChestOdds {
  const entries = request.entries.map((entry): ChestEntry => {
    const { weight, guaranteed } = entry;
    if (guaranteed && weight > 0) throw badRequest('A guaranteed entry has no `weight`. Leave one of the two out.');
    if (!guaranteed && weight === 0) throw badRequest('An entry needs a `weight` from 1, or `guaranteed`.');
    return { rewardId: entry.rewardId.toLowerCase(), weight, guaranteed };
  });
  const sum = entries.reduce((total, { weight }) => total + weight, 0);
  // With guaranteed entries alone the sum is 0; a total of 1 keeps the draw possible.
  const { totalWeight = Math.max(sum, 1) } = request;
  if (totalWeight >= sum) return { entries, totalWeight };
  throw badRequest(sentence`\`totalWeight\` is ${totalWeight} and the weights sum up to ${sum}. Send at least that.`);
}

/**
 * Checks that the rewards of entries exist and are not archived; rewards of `kept` may be archived.
 * @throws DomainError `BAD_REQUEST` with the first invalid one; `REWARD_NEEDS_EVENT` for an amount that only missions can pay
 */
export async function requireRewards(
  uow: UnitOfWork,
  entries: readonly ChestEntry[],
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const ids = entries.map((entry) => entry.rewardId);
  await requireGivenRewards(uow, ids, (index) => `entries[${index}].rewardId`, kept);
}
