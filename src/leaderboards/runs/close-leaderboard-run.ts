import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CloseLeaderboardRunRequest,
  type CloseLeaderboardRunResponseSchema,
  LeaderboardAdminService,
} from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { LeaderboardRunSchema } from '../../../gen/laurel/v1/leaderboard_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedLeaderboard, publishedLeaderboard } from '../definitions/leaderboards.queries.ts';
import { toEntryMessage } from '../entries/entry-message.ts';
import { settlements } from '../leagues/group-results.ts';
import { countEntries } from '../ranks/ranks.queries.ts';
import { finishRun } from './finish-run.ts';
import { type FoundRun, periodsByCode, requireRun } from './find-runs.ts';
import { toRunMessage } from './run-message.ts';
import { allWinners, type Winner } from './winners.ts';

/** The winners that a dry run shows. */
const SHOWN_MAX = 100;

/** Makes the ranks of a run final; housekeeping delivers its prizes: proto LeaderboardAdminService.CloseLeaderboardRun. */
export function closeLeaderboardRun(
  { db, principal, now }: Call,
  { id, runId, dryRun }: CloseLeaderboardRunRequest,
): Promise<MessageInitShape<typeof CloseLeaderboardRunResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const board = await publishedLeaderboard(uow, id);
    const unit = (await periodsByCode(uow)).get(board.statisticCode) ?? 'ALL_TIME';
    const run = await requireRun(uow, board.id, runId, dryRun ? '' : 'for update');
    if (run.status === 'CANCELLED')
      throw new DomainError(
        'LEADERBOARD_RUN_NOT_OPEN',
        sentence`The run was cancelled, so it has no prizes: ${run.cancelReason ?? ''}.`,
      );
    const before = toRunMessage(run, unit);
    if (dryRun) return { run: before, ...(await winnersNow(uow, board, run)) };
    if (run.status !== 'OPEN') return { run: before };
    await finishRun(uow, run.id, { status: 'CLOSING', now });
    const after = toRunMessage(await requireRun(uow, board.id, run.id), unit);
    const operation = LeaderboardAdminService.method.closeLeaderboardRun;
    await recordChange(uow, principal, { operation, schema: LeaderboardRunSchema, id: run.id, before, after });
    return { run: after };
  });
}

async function winnersNow(uow: UnitOfWork, board: DefinedLeaderboard, run: FoundRun) {
  const entries = run.entries ?? (await countEntries(uow, run.id));
  const ofRun = await allWinners(uow, { id: run.id, entries, prizes: board.prizes }, SHOWN_MAX);
  const winners = [...ofRun.winners];
  const given = new Map(ofRun.given);
  const counts = { total: ofRun.total, PROMOTED: 0, RELEGATED: 0, KEPT: 0 };
  const { leagues } = run;
  if (leagues)
    for await (const settled of settlements(uow, { ...run, leagues, prizes: board.prizes })) {
      winners.push(...settled.winners.slice(0, SHOWN_MAX - winners.length));
      counts.total += settled.winners.length;
      for (const { rewardIds } of settled.winners) for (const id of rewardIds) given.set(id, (given.get(id) ?? 0) + 1);
      for (const { outcome } of settled.results) counts[outcome] += 1;
    }
  return {
    winners: await winnerMessages(uow, board, winners),
    winnersTotal: counts.total,
    given: [...given].map(([rewardId, accounts]) => ({ rewardId, accounts })),
    promoted: counts.PROMOTED,
    relegated: counts.RELEGATED,
  };
}

async function winnerMessages(uow: UnitOfWork, board: DefinedLeaderboard, winners: readonly Winner[]) {
  const ids = winners.map(({ entry }) => entry.accountId);
  const { find } = indexAccounts(await selectAccounts(uow, { ids, externalIds: [] }));
  return winners.flatMap(({ entry, rewardIds, group }) => {
    const account = find({ id: entry.accountId });
    if (account === undefined) return [];
    const place = group && { ...group, leagueName: board.leagues?.names[group.league - 1] ?? '' };
    return [{ entry: toEntryMessage(board, entry, account, undefined), rewardIds: [...rewardIds], place }];
  });
}
