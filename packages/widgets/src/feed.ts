import { progressBar } from './base/bar.ts';
import { type Child, h } from './base/dom.ts';
import type { Words } from './base/words.ts';
import type { PeriodUnit } from './calendar/periods.ts';
import type { Connection } from './connection/connection.ts';
import { PROGRESS } from './connection/live.ts';

/** A reward as a list names it. The name of a secret badge is empty. */
export type NamedReward = { readonly id: string; readonly name: string };

/** A mission of the account in its feed. */
export type FeedItem = {
  readonly id: string;
  readonly missionId: string;
  readonly campaignId: string | null;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly imageUrl?: string;
  readonly progress: number;
  readonly target: number;
  readonly expiresAt?: string;
  readonly rewards: readonly NamedReward[];
  readonly period?: PeriodUnit;
  readonly locks: readonly { readonly met: boolean; readonly missionName?: string; readonly opensAt?: string }[];
  readonly completions?: number;
  readonly occurrences?: { readonly completed: number; readonly target: number };
  readonly streak?: Streak;
};

/** The run of a streak. Periods are days, weeks or months. */
export type Streak = {
  readonly current: number;
  readonly longest: number;
  readonly freezesLeft: number;
  readonly todayProgress?: number;
  readonly todayTarget?: number;
  readonly keptToday?: boolean;
  readonly keepUntil?: string;
  readonly nextMilestone?: { readonly length: number; readonly rewards: readonly NamedReward[] };
};

/** The changes after which a feed may be different. */
export const FEED_KINDS = [
  PROGRESS,
  'MISSION_COMPLETED',
  'REWARD_EARNED',
  'REWARDS_DELIVERED',
  'REWARDS_REVERSED',
  'POINTS_CHANGED',
];

/** Milliseconds between reads of a visible feed. */
export const FEED_EVERY_MS = 15_000;

/** The missions that the account can work on now. */
export function readFeed(connection: Connection): Promise<readonly FeedItem[]> {
  return connection.read<readonly FeedItem[]>('/v1/feed/account/me');
}

/** The way to a target, in words "3 of 5". */
export function wayTo(label: string, { value, target }: { value: number; target: number }, words: Words): Child {
  const spoken = words.text('progress', { count: value, target });
  return progressBar({ label, share: target > 0 ? value / target : 1, spoken });
}

/** The rewards as a line of names; nothing without any. */
export function rewardLine(rewards: readonly NamedReward[], words: Words): Child {
  if (rewards.length === 0) return undefined;
  return h(
    'ul',
    { part: 'rewards', class: 'rewards', 'aria-label': words.text('rewards') },
    ...rewards.map(({ id, name }) =>
      h('li', { part: 'reward', key: id }, h('bdi', {}, name === '' ? words.text('badgeSecret') : name)),
    ),
  );
}

/** The names of rewards that the account got, as a list. @param offered the names of all that it could get */
export function namesOf(
  earned: readonly { readonly rewardId: string }[],
  offered: readonly NamedReward[],
  words: Words,
): string {
  const names = new Map(offered.map(({ id, name }) => [id, name]));
  return words.list(earned.map(({ rewardId }) => names.get(rewardId) || words.text('badgeSecret')));
}

/** The look of bars with rewards. */
export const FEED_LOOK = `
.rewards { display: flex; flex-wrap: wrap; gap: 6px; margin-block-start: 8px; }
.rewards li { padding: 2px 10px; border-radius: 1em; background: var(--_tint); font-size: .8125em; }
.line { display: flex; align-items: baseline; justify-content: space-between; gap: 12px; }
`;
