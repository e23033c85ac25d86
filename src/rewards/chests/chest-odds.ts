import type { CreateChestDefinitionRequest } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { ChestEntry, ChestOdds } from '../../engine/chest-roll.ts';
import { requireAccountFormulas } from '../definitions/account-formula.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../definitions/rewards.queries.ts';

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
  const rewards = await loadRewards(uow, ids);
  const unknown = ids.find((id) => !rewards.has(id));
  if (unknown !== undefined) throw badRequest(sentence`There is no reward ${unknown}. Create it first.`);
  const archived = ids.find((id) => rewards.get(id)?.archivedAt && !kept.has(id));
  if (archived !== undefined) throw badRequest(sentence`The reward ${archived} is archived. Send another one.`);
  const inOrder = ids.map((id) => rewards.get(id)!);
  await requireAccountFormulas(uow, inOrder, (index) => `entries[${index}].rewardId`);
}
