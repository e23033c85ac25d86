import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { requireAccountFormulas } from './account-formula.ts';
import { loadRewards } from './rewards.queries.ts';

/**
 * Checks that rewards for a use without an event exist and are not archived; those of `kept` may be archived.
 * @param fieldOf the field of the request that names a reward, by its index
 * @throws DomainError `BAD_REQUEST` with the first invalid one; `REWARD_NEEDS_EVENT` for an amount that only missions can pay
 */
export async function requireGivenRewards(
  uow: UnitOfWork,
  ids: readonly string[],
  fieldOf: (index: number) => string,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (ids.length === 0) return;
  const rewards = await loadRewards(uow, ids);
  const inOrder = ids.map((id, index) => {
    const reward = rewards.get(id);
    if (reward === undefined) throw badRequest(sentence`${fieldOf(index)}: there is no reward ${id}. Create it first.`);
    if (reward.archivedAt && !kept.has(id))
      throw badRequest(sentence`${fieldOf(index)}: the reward ${id} is archived. Send another one.`);
    return reward;
  });
  await requireAccountFormulas(uow, inOrder, fieldOf);
}
