import type { LeaderboardDraft } from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import {
  Leaderboard_Order,
  Leaderboard_OrderSchema,
  type LeaderboardLeagues,
  type LeaderboardPrize,
  LeaderboardPrize_Ties,
  LeaderboardPrize_TiesSchema,
} from '../../../gen/laurel/v1/leaderboard_pb.ts';
import { requireAudiences } from '../../audiences/audiences.queries.ts';
import { declaredAttributes } from '../../clients/account-attributes.ts';
import type { Leagues } from '../../engine/leaderboards/leagues.ts';
import type { Prize } from '../../engine/leaderboards/prizes.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { requireGivenRewards } from '../../rewards/definitions/given-rewards.ts';
import { statisticDefinitions } from '../../statistics/definitions/statistic-definitions.queries.ts';

const ENTRIES_SHOWN = 100;
const LATE_HOURS = 24;
const RANK_MAX = 1_000_000;
const REWARDS_MAX = 10;
const LEAGUES_MIN = 2;
const LEAGUES_MAX = 10;
const NAME_MAX = 100;
const GROUP_MIN = 2;
const GROUP_MAX = 1_000;

/** The stored content of a draft. */
export type LeaderboardContent = ReturnType<typeof contentOf>;

/**
 * The content of a draft, without a check of its names.
 * @throws DomainError `BAD_REQUEST` for a prize without ranks or rewards
 */
export function contentOf(draft: LeaderboardDraft) {
  const leagues = draft.leagues === undefined ? null : leaguesOf(draft.leagues);
  if (leagues !== null && (draft.lateHours ?? 0) !== 0)
    throw badRequest(
      sentence`leaderboard.lateHours must be 0 with leagues: they close at the end of the period, because the next one needs their result.`,
    );
  return {
    name: draft.name,
    description: draft.description,
    statisticCode: draft.statisticCode,
    audienceIds: draft.audienceIds.map((id) => id.toLowerCase()),
    rankOrder: enumName(Leaderboard_OrderSchema, draft.order || Leaderboard_Order.HIGHEST_FIRST)!,
    entriesShown: draft.entriesShown ?? ENTRIES_SHOWN,
    displayNameAttribute: draft.displayNameAttribute ?? null,
    lateHours: draft.lateHours ?? (leagues === null ? LATE_HOURS : 0),
    prizes: draft.prizes.map((prize, index) => prizeOf(prize, index, leagues)),
    leagues,
  };
}

function leaguesOf({ names, groupSize, promoted, relegated }: LeaderboardLeagues): Leagues {
  const field = 'leaderboard.leagues';
  const isNamed = names.every((name) => name.length >= 1 && name.length <= NAME_MAX);
  if (names.length < LEAGUES_MIN || names.length > LEAGUES_MAX || !isNamed || new Set(names).size < names.length)
    throw badRequest(
      sentence`${`${field}.names`} must have ${LEAGUES_MIN} to ${LEAGUES_MAX} different names of 1 to ${NAME_MAX} characters, the lowest league first.`,
    );
  if (groupSize < GROUP_MIN || groupSize > GROUP_MAX)
    throw badRequest(sentence`${`${field}.groupSize`} must be between ${GROUP_MIN} and ${GROUP_MAX}.`);
  const half = Math.floor(groupSize / 2);
  for (const [name, value] of Object.entries({ promoted, relegated }))
    if (value < 0 || value > half)
      throw badRequest(sentence`${`${field}.${name}`} must be between 0 and ${half}, half of groupSize.`);
  return { names, groupSize, promoted, relegated };
}

function prizeOf(sent: LeaderboardPrize, index: number, leagues: Leagues | null): Prize {
  const field = `leaderboard.prizes[${index}]`;
  const { firstRank = 1, lastRank, topShare } = sent;
  if ((lastRank === undefined) === (topShare === undefined))
    throw badRequest(sentence`${field} needs either lastRank or topShare: send one of them.`);
  if (firstRank < 1 || firstRank > RANK_MAX)
    throw badRequest(sentence`${`${field}.firstRank`} must be between 1 and ${RANK_MAX}.`);
  if (lastRank !== undefined && (lastRank < firstRank || lastRank > RANK_MAX))
    throw badRequest(sentence`${`${field}.lastRank`} must be between ${firstRank}, the first rank, and ${RANK_MAX}.`);
  if (topShare !== undefined && !(topShare > 0 && topShare <= 1))
    throw badRequest(sentence`${`${field}.topShare`} must be above 0 and at most 1: 0.1 is the first tenth.`);
  const rewardIds = sent.rewardIds.map((id) => id.toLowerCase());
  if (rewardIds.length === 0 || rewardIds.length > REWARDS_MAX || new Set(rewardIds).size < rewardIds.length)
    throw badRequest(sentence`${`${field}.rewardIds`} must have 1 to ${REWARDS_MAX} different rewards.`);
  const ties = enumName(LeaderboardPrize_TiesSchema, sent.ties || LeaderboardPrize_Ties.ALL);
  if (ties === undefined) throw badRequest(sentence`${`${field}.ties`} must be ALL or FIRST.`);
  const { league } = sent;
  if (league !== undefined && (leagues === null || league < 1 || league > leagues.names.length))
    throw badRequest(
      sentence`${`${field}.league`} must be the number of a league, from 1, the lowest. Leave it out for a prize of the whole run.`,
    );
  const last = lastRank === undefined ? { topShare } : { lastRank };
  return { firstRank, ...last, ties, rewardIds, ...(league === undefined ? {} : { league }) };
}

/**
 * Checks that the statistic, the audiences, the attribute and the rewards of a leaderboard exist.
 * @param stored the prizes that the leaderboard has; their rewards may be archived
 * @throws DomainError `BAD_REQUEST`, naming the field; `REWARD_NEEDS_EVENT`
 */
export async function requireValidLeaderboard(
  uow: UnitOfWork,
  { statisticCode, audienceIds, displayNameAttribute, prizes, leagues }: LeaderboardContent,
  stored: readonly Prize[] = [],
): Promise<void> {
  const statistics = await statisticDefinitions(uow);
  const statistic = statistics.find(({ code }) => code === statisticCode);
  if (statistic === undefined)
    throw badRequest(
      sentence`leaderboard.statisticCode '${statisticCode}' is no statistic. GET /admin/statistic-definitions/paginated lists them.`,
    );
  if (leagues !== null && statistic.period === 'ALL_TIME')
    throw badRequest(
      sentence`leaderboard.leagues need a statistic with periods, and '${statisticCode}' has none: accounts move up and down at the end of each.`,
    );
  await requireAudiences(uow, audienceIds);
  if (displayNameAttribute !== null) await requirePublicText(uow, displayNameAttribute);
  const given = prizes.flatMap(({ rewardIds }, prize) =>
    rewardIds.map((id, index) => ({ id, field: `leaderboard.prizes[${prize}].rewardIds[${index}]` })),
  );
  await requireGivenRewards(
    uow,
    given.map(({ id }) => id),
    (index) => given[index]!.field,
    new Set(stored.flatMap(({ rewardIds }) => rewardIds)),
  );
}

async function requirePublicText(uow: UnitOfWork, name: string): Promise<void> {
  const { attributes } = await declaredAttributes(uow);
  const attribute = attributes.find((each) => each.name === name);
  if (attribute?.type !== 'STRING')
    throw badRequest(
      sentence`leaderboard.displayNameAttribute '${name}' is no STRING attribute of accounts. GET /admin/account-attributes lists them.`,
    );
  if (attribute.personal)
    throw badRequest(
      sentence`leaderboard.displayNameAttribute '${name}' is a personal attribute, which other accounts must not see. Send another one.`,
    );
}
