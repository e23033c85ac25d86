import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CreateChestDefinitionRequest,
  CreateChestDefinitionResponseSchema,
} from '../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { checkedText } from '../accounts/account-ref.ts';
import type { Principal } from '../clients/principal.ts';
import type { ChestEntry, ChestOdds } from '../engine/chest-roll.ts';
import { badRequest } from '../kernel/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { chestDefinitionInit } from './chest-definition-init.ts';
import { ChestDefinitionEntity } from './chest-definition.entity.ts';
import { loadRewards } from './rewards.queries.ts';

/** Creates a chest definition: proto ChestAdminService.CreateChestDefinition. It is read when a chest is opened, so no catalogue changes. */
export function createChestDefinition(
  db: Database,
  principal: Principal,
  request: CreateChestDefinitionRequest,
): Promise<MessageInitShape<typeof CreateChestDefinitionResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  const { entries, totalWeight } = oddsOf(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    await requireRewards(uow, entries);
    const definition = { clientId: uow.clientId, id: newId(), name, entries: [...entries], totalWeight };
    const chestDefinition = uow.em.create(ChestDefinitionEntity, definition);
    await uow.em.flush();
    return { chestDefinition: chestDefinitionInit(chestDefinition) };
  });
}

function oddsOf(request: CreateChestDefinitionRequest): ChestOdds {
  const entries = request.entries.map((entry): ChestEntry => {
    const { weight, guaranteed } = entry;
    if (guaranteed && weight > 0) throw badRequest('A guaranteed entry has no `weight`. Leave one of the two out.');
    if (!guaranteed && weight === 0) throw badRequest('An entry needs a `weight` from 1, or `guaranteed`.');
    return { rewardId: entry.rewardId.toLowerCase(), weight, guaranteed };
  });
  const sum = entries.reduce((total, { weight }) => total + weight, 0);
  // With guaranteed entries alone there is nothing to draw; one share makes that draw possible.
  const { totalWeight = Math.max(sum, 1) } = request;
  if (totalWeight >= sum) return { entries, totalWeight };
  throw badRequest(`\`totalWeight\` is ${totalWeight} and the weights sum up to ${sum}. Send at least that.`);
}

async function requireRewards(uow: UnitOfWork, entries: readonly ChestEntry[]): Promise<void> {
  const ids = entries.map((entry) => entry.rewardId);
  const rewards = await loadRewards(uow, ids);
  const unknown = ids.find((id) => !rewards.has(id));
  if (unknown !== undefined) throw badRequest(`There is no reward ${unknown}. Create it first.`);
}
