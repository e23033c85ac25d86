import type { LevelTrackDraft } from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { LevelTrack_Downgrade, LevelTrack_DowngradeSchema } from '../../../gen/laurel/v1/level_pb.ts';
import { amountFromNumber, amountToNumber } from '../../kernel/amount.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import {
  type DefinedStatistic,
  statisticDefinitions,
} from '../../statistics/definitions/statistic-definitions.queries.ts';
import { requireNameable } from '../../statistics/definitions/statistic-draft.ts';
import type { StoredLevel } from './level-track.entity.ts';

/**
 * Refuses rewards that do not exist, are archived, or whose amounts need an event; a module above reads them.
 * @param fieldOf the field of the request that names a reward, by its index
 * @param kept those that may be archived
 */
export type RewardCheck = (
  uow: UnitOfWork,
  rewardIds: readonly string[],
  fieldOf: (index: number) => string,
  kept: ReadonlySet<string>,
) => Promise<void>;

/** The stored content of a draft. */
export type TrackContent = ReturnType<typeof contentOf>;

/**
 * The content of a draft, without a check of its names.
 * @throws DomainError `BAD_REQUEST` for thresholds that do not rise, or two levels of one code
 */
export function contentOf(draft: LevelTrackDraft) {
  const downgrade = enumName(LevelTrack_DowngradeSchema, draft.downgrade || LevelTrack_Downgrade.NEVER)!;
  return {
    code: draft.code,
    name: draft.name ?? draft.code,
    description: draft.description,
    statisticCode: draft.statisticCode,
    levels: levelsOf(draft),
    downgrade,
    holdDays: draft.holdDays ?? null,
    atRiskDays: draft.atRiskDays ?? null,
  };
}

function levelsOf({ levels }: LevelTrackDraft): StoredLevel[] {
  const codes = new Set<string>();
  return levels.map(({ code, name = code, threshold, imageUrl, rewardIds }, index) => {
    const field = `levelTrack.levels[${index}]`;
    if (codes.has(code))
      throw badRequest(sentence`${`${field}.code`} '${code}' is that of another level: choose another one.`);
    codes.add(code);
    const value = amountToNumber(amountFromNumber(threshold, `${field}.threshold`));
    const before = levels[index - 1]?.threshold;
    if (before !== undefined && value <= before)
      throw badRequest(sentence`${`${field}.threshold`} must be above ${before}, the threshold of the level before.`);
    const level = { code, name, threshold: value, rewardIds: rewardIds.map((id) => id.toLowerCase()) };
    return imageUrl === undefined ? level : { ...level, imageUrl };
  });
}

/**
 * Checks the statistic, the reviews and the rewards of a track.
 * @param stored the levels that the track has; their rewards may be archived
 * @throws DomainError `BAD_REQUEST`, naming the field; `REWARD_NEEDS_EVENT`
 */
export async function requireValidTrack(
  uow: UnitOfWork,
  content: TrackContent,
  requireRewards: RewardCheck,
  stored: readonly StoredLevel[] = [],
): Promise<DefinedStatistic> {
  const { code, statisticCode, levels } = content;
  requireNameable(code, 'levelTrack.code');
  const statistic = (await statisticDefinitions(uow)).find((each) => each.code === statisticCode);
  if (statistic === undefined)
    throw badRequest(
      sentence`levelTrack.statisticCode '${statisticCode}' is no statistic. GET /admin/statistic-definitions/paginated lists them.`,
    );
  requireReviews(content, statistic);
  const given = levels.flatMap(({ rewardIds }, level) =>
    rewardIds.map((id, index) => ({ id, field: `levelTrack.levels[${level}].rewardIds[${index}]` })),
  );
  await requireRewards(
    uow,
    given.map(({ id }) => id),
    (index) => given[index]!.field,
    new Set(stored.flatMap(({ rewardIds }) => rewardIds)),
  );
  return statistic;
}

function requireReviews({ downgrade, holdDays, atRiskDays }: TrackContent, { period }: DefinedStatistic): void {
  const isHeldForDays = downgrade !== 'NEVER' && period === 'ALL_TIME';
  if (isHeldForDays && holdDays === null)
    throw badRequest(
      sentence`levelTrack.holdDays is missing: send the days from the beginning of a level to its review, or downgrade NEVER.`,
    );
  if (!isHeldForDays && holdDays !== null)
    throw badRequest(
      downgrade === 'NEVER'
        ? sentence`levelTrack.holdDays is for downgrade ONE and BALANCE: leave it out, or send one of these.`
        : sentence`levelTrack.holdDays is for statistics of all time; those with periods are reviewed at their ends. Leave it out.`,
    );
  if (atRiskDays === null) return;
  if (downgrade === 'NEVER')
    throw badRequest('levelTrack.atRiskDays is for downgrade ONE and BALANCE: leave it out, or send one of these.');
  if (holdDays !== null && atRiskDays > holdDays)
    throw badRequest(sentence`levelTrack.atRiskDays must be at most ${holdDays}, the days to the review.`);
}
