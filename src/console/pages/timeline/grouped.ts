import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type TimelineEntry, TimelineEntry_Kind as Kind } from '../../../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { PointEntry_Type } from '../../../../gen/laurel/v1/loyalty_pb.ts';
import { Redemption_Source } from '../../../../gen/laurel/v1/redemption_pb.ts';
import { hasField, rewardTypeName } from '../rewards/reward-types.ts';

/** An entry with the entries that it caused, in the order of a story: missions, campaigns, rewards with their points, the rest. */
export type GroupedEntry = { readonly entry: TimelineEntry; readonly beneath: readonly TimelineEntry[] };

/**
 * The most milliseconds between the recording of an event and its effects. One transaction records them; each takes the clock
 * for itself.
 */
const SAME_MS = 2_000;

/** Entries under the event, or the reward, that caused them. Entries without a loaded cause stand alone. */
export function grouped(entries: readonly TimelineEntry[]): GroupedEntry[] {
  const events = entries.filter(({ kind }) => kind === Kind.EVENT);
  const rewards = new Map(entries.flatMap((entry) => (entry.kind === Kind.REWARD ? [[entry.id, entry] as const] : [])));
  const beneath = new Map<TimelineEntry, TimelineEntry[]>();
  const placed = new Set<TimelineEntry>();
  for (const entry of entries) {
    const cause = eventOf(entry, events, rewards) ?? rewardOf(entry, rewards);
    if (cause === undefined) continue;
    beneath.set(cause, [...(beneath.get(cause) ?? []), entry]);
    placed.add(entry);
  }
  return entries
    .filter((entry) => !placed.has(entry))
    .map((entry) => ({ entry, beneath: inOrder(beneath.get(entry) ?? []) }));
}

function eventOf(
  entry: TimelineEntry,
  events: readonly TimelineEntry[],
  rewards: ReadonlyMap<string, TimelineEntry>,
): TimelineEntry | undefined {
  return events.find((event) => isNear(event, entry) && hasCaused(event, entry, rewards));
}

/** Whether an event's own record names the entry, or its reward. */
function hasCaused(event: TimelineEntry, entry: TimelineEntry, rewards: ReadonlyMap<string, TimelineEntry>): boolean {
  if (event.what.case !== 'event') return false;
  const { missions, campaigns, rewards: earned } = event.what.value;
  const ids = earned.map(({ earnedRewardId }) => earnedRewardId);
  const contents = ids.flatMap((id) => {
    const what = rewards.get(id)?.what;
    return what?.case === 'reward' ? [what.value] : [];
  });
  const { what } = entry;
  switch (what.case) {
    case 'mission':
      return missions.some(({ missionId, completed }) => completed && missionId === what.value.missionId);
    case 'campaign':
      return campaigns.some(({ campaignId }) => campaignId === what.value.campaignId);
    case 'reward':
      return ids.includes(what.value.id);
    case 'points':
      return what.value.type === PointEntry_Type.EARN && ids.includes(what.value.sourceId ?? '');
    case 'chest':
      return contents.some(({ rewardType }) => hasField(rewardTypeName(rewardType), 'chestId'));
    case 'redemption':
      return (
        what.value.source === Redemption_Source.REWARD &&
        contents.some(({ productId }) => productId !== undefined && productId === what.value.product?.id)
      );
    case 'streakFreeze': {
      const { missionId, milestone = 0 } = what.value;
      return missions.some((mission) => mission.missionId === missionId && mission.milestones.includes(milestone));
    }
    default:
      return false;
  }
}

/** The reward that paid points, for rewards that no event has given: of a claim, a level or an operator. */
function rewardOf(entry: TimelineEntry, rewards: ReadonlyMap<string, TimelineEntry>): TimelineEntry | undefined {
  if (entry.what.case !== 'points' || entry.what.value.type !== PointEntry_Type.EARN) return undefined;
  const reward = rewards.get(entry.what.value.sourceId ?? '');
  return reward !== undefined && isNear(reward, entry) ? reward : undefined;
}

function isNear(one: TimelineEntry, other: TimelineEntry): boolean {
  return Math.abs(msOf(one) - msOf(other)) <= SAME_MS;
}

function msOf({ happenedAt }: TimelineEntry): number {
  return happenedAt === undefined ? 0 : timestampMs(happenedAt);
}

/** By kind, with the points of a reward directly after it. */
function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const ids = new Set(entries.filter(({ kind }) => kind === Kind.REWARD).map(({ id }) => id));
  const sourceOf = ({ what }: TimelineEntry) => (what.case === 'points' ? (what.value.sourceId ?? '') : '');
  const roots = entries.filter((entry) => !ids.has(sourceOf(entry))).toSorted((one, other) => one.kind - other.kind);
  return roots.flatMap((root) => [root, ...entries.filter((entry) => ids.has(root.id) && sourceOf(entry) === root.id)]);
}
