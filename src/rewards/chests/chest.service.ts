import type { ServiceImpl } from '@connectrpc/connect';
import type { ChestService } from '../../../gen/laurel/v1/chest_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { listChests } from './list-chests.ts';
import { listFragments } from '../fragments/list-fragments.ts';
import { openChest } from './open-chest.ts';

/** An account's chests and fragments. */
export function chestService(db: Database, clock: Clock) {
  return {
    listChests: (request, context) => listChests(db, principalOf(context), request),
    openChest: (request, context) => openChest(db, context, request, clock()),
    listFragments: (request, context) => listFragments(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof ChestService>;
}
