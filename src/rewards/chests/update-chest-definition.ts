import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ChestAdminService,
  type UpdateChestDefinitionRequest,
  type UpdateChestDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ChestDefinitionSchema } from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import { isDeepStrictEqual } from 'node:util';
import { checkedText } from '../../kernel/text.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import type { ChestOdds } from '../../engine/chest-roll.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { showChestDefinitions } from './chest-definition-message.ts';
import { requireNoCertainCycle } from './chest-cycles.ts';
import { chestDefinitionToChange, wasEverWon } from './chest-definitions.queries.ts';
import { oddsOf, requireRewards } from './chest-odds.ts';

/**
 * Replaces a chest definition: proto ChestAdminService.UpdateChestDefinition. A chest that is won at the same moment has the new odds, as
 * if it had been won a moment later.
 */
export async function updateChestDefinition(
  { db, principal }: Call,
  request: UpdateChestDefinitionRequest,
): Promise<MessageInitShape<typeof UpdateChestDefinitionResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  const odds = oddsOf(request);
  const change = { operation: ChestAdminService.method.updateChestDefinition, schema: ChestDefinitionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const definition = await chestDefinitionToChange(uow, request.id);
    await requireRewards(uow, odds.entries, new Set(definition.entries.map(({ rewardId }) => rewardId)));
    await requireVersion(uow, ChestDefinitionSchema, definition, request.version);
    if (!sameOdds(definition, odds)) {
      if (await wasEverWon(uow, definition.id)) throw won();
      await requireNoCertainCycle(uow, { id: definition.id, name, ...odds });
    }
    const [before] = await showChestDefinitions(uow, [definition]);
    const { entries, totalWeight } = odds;
    Object.assign(definition, { name, entries: [...entries], totalWeight, version: definition.version + 1 });
    await uow.em.flush();
    const [after] = await showChestDefinitions(uow, [definition]);
    return { id: definition.id, before, after };
  });
  return { chestDefinition: after };
}

function sameOdds(one: ChestOdds, other: ChestOdds): boolean {
  const plain = ({ entries, totalWeight }: ChestOdds) => ({
    totalWeight,
    entries: entries.map(({ rewardId, weight, guaranteed }) => ({ rewardId, weight, guaranteed })),
  });
  return isDeepStrictEqual(plain(one), plain(other));
}

function won(): DomainError {
  const message = sentence`A chest of it has been won, so its odds stay what they were. Create another chest definition for other odds.`;
  return new DomainError('CHEST_DEFINITION_WON', message);
}
