import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { AccountLevelSchema, MovedLevelSchema, ReachedLevelSchema } from '../../../gen/laurel/v1/level_pb.ts';
import { currentLevel, type HeldLevel, levelAtReview, type LevelMove } from '../../engine/levels/held-level.ts';
import { type LevelTrack, type LevelValues, thresholdOf } from '../../engine/levels/level-track.ts';
import { amountToNumber, optionalNumber } from '../../kernel/amount.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** A level by its number, as the API shows it; undefined for none. */
export function toReachedLevel(
  { levels }: Pick<LevelTrack, 'levels'>,
  number: number | undefined,
): MessageInitShape<typeof ReachedLevelSchema> | undefined {
  const level = levels[(number ?? 0) - 1];
  if (number === undefined || level === undefined) return undefined;
  const { code, name, imageUrl, threshold } = level;
  return { number, code, name, imageUrl, threshold: amountToNumber(threshold) };
}

/** The level of an account in a track, after the reviews that are due. */
export function toAccountLevelMessage(
  track: LevelTrack & { readonly name: string },
  held: HeldLevel | undefined,
  values: LevelValues,
  now: Timestamp,
): MessageInitShape<typeof AccountLevelSchema> {
  const level = currentLevel(track, held, values, now);
  const { number, counted, heldValue, reviewAt } = level;
  const shown = toReachedLevel(track, number);
  return {
    trackId: track.id,
    trackCode: track.code,
    trackName: track.name,
    level: shown,
    next: nextLevel(track, number, values),
    countedValue: optionalNumber(counted),
    value: optionalNumber(values.current),
    heldValue: optionalNumber(heldValue),
    since: held !== undefined && held.code === shown?.code ? timestampFromMs(held.since) : undefined,
    reviewAt: reviewAt === undefined || number === 0 ? undefined : timestampFromMs(reviewAt),
    levelAfterReview: toReachedLevel(track, levelAtReview(track, level, values)),
  };
}

/** The way to the next level, by the value of the current period: only that can still rise. */
function nextLevel(track: LevelTrack, number: number, { current = 0n }: LevelValues) {
  const threshold = thresholdOf(track, number + 1);
  if (threshold === undefined) return undefined;
  const from = thresholdOf(track, number) ?? 0n;
  const way = Number(threshold - from);
  const progress = way > 0 ? Math.min(Math.max(Number(current - from) / way, 0), 1) : 0;
  return { level: toReachedLevel(track, number + 1), missing: amountToNumber(threshold - current), progress };
}

/** A change of a level as the journal and simulations show it. */
export function toMovedLevelMessage({
  track,
  previousCode,
  number,
}: LevelMove): MessageInitShape<typeof MovedLevelSchema> {
  return { trackId: track.id, trackCode: track.code, previousCode, code: track.levels[number - 1]?.code };
}
