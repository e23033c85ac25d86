import type { DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import {
  type ActivateLeaderboardRequest,
  type ActivateLeaderboardResponseSchema,
  type EndLeaderboardRequest,
  type EndLeaderboardResponseSchema,
  LeaderboardAdminService,
  LeaderboardDefinitionSchema,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toDefinitionMessage } from './leaderboard-message.ts';
import type { LeaderboardEntity } from './leaderboard.entity.ts';
import { requireLeaderboard } from './leaderboards.queries.ts';

/** Activates a DRAFT: proto LeaderboardAdminService.ActivateLeaderboard. */
export function activateLeaderboard(
  call: Call,
  request: ActivateLeaderboardRequest,
): Promise<MessageInitShape<typeof ActivateLeaderboardResponseSchema>> {
  return changeStatus(call, request, LeaderboardAdminService.method.activateLeaderboard, {
    to: 'ACTIVE',
    requireFrom(board) {
      if (board.status === 'ENDED')
        throw new DomainError(
          'LEADERBOARD_ENDED',
          sentence`The leaderboard '${board.name}' has ended. Create another one.`,
        );
    },
    stamped: (now) => ({ activatedAt: now, fillPass: 1, fillDueAt: now }),
  });
}

/** Ends an ACTIVE leaderboard for good: proto LeaderboardAdminService.EndLeaderboard. */
export function endLeaderboard(
  call: Call,
  request: EndLeaderboardRequest,
): Promise<MessageInitShape<typeof EndLeaderboardResponseSchema>> {
  return changeStatus(call, request, LeaderboardAdminService.method.endLeaderboard, {
    to: 'ENDED',
    requireFrom(board) {
      if (board.status === 'DRAFT')
        throw new DomainError(
          'LEADERBOARD_NOT_ACTIVE',
          sentence`The leaderboard '${board.name}' is a DRAFT. Activate it first, or delete it.`,
        );
    },
    stamped: (now) => ({ endedAt: now, fillPass: null, fillAfter: null, fillDueAt: null }),
  });
}

/** A change of the status. */
type Move = {
  readonly to: LeaderboardEntity['status'];
  /** Refuses other states than the one before `to`. */
  readonly requireFrom: (board: LeaderboardEntity) => void;
  readonly stamped: (now: Date) => Partial<LeaderboardEntity>;
};

async function changeStatus(
  { db, principal, now }: Call,
  { id, version }: ActivateLeaderboardRequest | EndLeaderboardRequest,
  operation: DescMethod,
  { to, requireFrom, stamped }: Move,
): Promise<{ leaderboard: MessageInitShape<typeof LeaderboardDefinitionSchema> }> {
  const { after } = await changeCatalog(
    db,
    principal,
    { operation, schema: LeaderboardDefinitionSchema },
    async (uow) => {
      const board = await requireLeaderboard(uow, id, { forChange: true });
      await requireVersion(uow, LeaderboardDefinitionSchema, board, version);
      const before = toDefinitionMessage(board);
      if (board.status === to) return { id: board.id, before, after: before, unchanged: true };
      requireFrom(board);
      uow.em.assign(board, { ...stamped(now), status: to, version: board.version + 1 });
      await uow.em.flush();
      return { id: board.id, before, after: toDefinitionMessage(board) };
    },
  );
  return { leaderboard: after };
}
