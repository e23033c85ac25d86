import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetChestOddsRequest, GetChestOddsResponseSchema } from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { chestDefinitionsById } from './chest-definitions.queries.ts';
import { showChestOdds } from './chest-odds-message.ts';
import { requireDefinitionOf } from './chests.queries.ts';

/**
 * Returns the odds of a chest of an account: proto ChestService.GetChestOdds. The odds are those of its definition, which are fixed from
 * the first chest on.
 */
export function getChestOdds(
  { db, principal }: Call,
  { id }: GetChestOddsRequest,
): Promise<MessageInitShape<typeof GetChestOddsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const [definition] = await chestDefinitionsById(uow, [await requireDefinitionOf(uow, id)]);
    return { odds: definition && (await showChestOdds(uow, definition)) };
  });
}
