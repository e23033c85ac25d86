import { type Child, h } from './base/dom.ts';
import { LaurelElement } from './base/element.ts';
import type { Words } from './base/words.ts';
import { type Days, marksOf, readDays } from './calendar/marks.ts';
import { CALENDAR_LOOK, calendarView } from './calendar/view.ts';
import type { Connection } from './connection/connection.ts';
import type { TextKey } from './texts/en.ts';
import { FEED_EVERY_MS, FEED_KINDS, FEED_LOOK, type FeedItem, readFeed, rewardLine, wayTo } from './feed.ts';

const LENGTHS = { DAY: 'streakDays', WEEK: 'streakWeeks', MONTH: 'streakMonths' } as const satisfies Record<
  string,
  TextKey
>;
const KEPT = { DAY: 'streakKeptDay', WEEK: 'streakKeptWeek', MONTH: 'streakKeptMonth' } as const satisfies Record<
  string,
  TextKey
>;

type Shown = { readonly items: readonly FeedItem[]; readonly days?: Days };

/** `<laurel-streak>`: the runs of the account's streaks with their recent periods, or that of the attribute `mission`, an id. */
export class LaurelStreak extends LaurelElement<Shown> {
  static override readonly observedAttributes = ['lang', 'mission'];
  protected readonly kinds = [...FEED_KINDS, 'STREAK_AT_RISK', 'STREAK_FREEZES_CHANGED'];
  protected readonly heading = 'streakTitle';
  protected override readonly look = FEED_LOOK + CALENDAR_LOOK + LOOK;
  protected override readonly everyMs = FEED_EVERY_MS;

  /** The last read days, and the runs that they belong to. */
  #read: { readonly connection: Connection; readonly runs: string; readonly days: Days } | undefined;

  protected async load(connection: Connection): Promise<Shown> {
    const items = (await readFeed(connection)).filter(({ streak }) => streak !== undefined);
    if (items.length === 0) return { items };
    // A used freeze and a new day show in the runs: while these stay, the feed alone is read again.
    const runs = JSON.stringify(items.map(({ streak }) => streak));
    const known = this.#read;
    if (known?.connection === connection && known.runs === runs) return { items, days: known.days };
    const days = await readDays(connection);
    this.#read = { connection, runs, days };
    return { items, days };
  }

  protected view({ items, days }: Shown, words: Words): readonly Child[] {
    const mission = this.getAttribute('mission');
    const shown = mission === null ? items : items.filter(({ missionId }) => missionId === mission);
    if (shown.length === 0) return [h('p', { part: 'empty', class: 'quiet' }, words.text('streakNone'))];
    return shown.map((item) => streakView(item, days, words));
  }
}

function streakView(
  { id, missionId, name, period = 'DAY', streak }: FeedItem,
  days: Days | undefined,
  words: Words,
): Child {
  const { current, longest, freezesLeft, todayProgress, todayTarget, keptToday, keepUntil, nextMilestone } = streak!;
  return h(
    'div',
    { part: 'run', class: 'run', key: id },
    h('p', { part: 'name', class: 'name' }, h('bdi', {}, name)),
    h(
      'p',
      { part: 'value', class: 'figure', 'aria-live': 'polite', 'aria-atomic': 'true' },
      words.number(current),
      h('small', {}, ` ${words.text(LENGTHS[period], { count: current })}`),
    ),
    h('p', { part: 'longest', class: 'quiet' }, words.text('streakLongest', { count: longest })),
    todayTarget !== undefined &&
      keptToday !== true &&
      wayTo(name, { value: todayProgress ?? 0, target: todayTarget }, words),
    keptToday === true
      ? h('p', { part: 'kept', class: 'kept' }, words.text(KEPT[period]))
      : keepUntil !== undefined &&
          h('p', { part: 'deadline', class: 'quiet' }, words.text('streakUntil', { time: words.moment(keepUntil) })),
    freezesLeft > 0 && h('p', { part: 'grace', class: 'quiet' }, words.text('streakGrace', { count: freezesLeft })),
    nextMilestone !== undefined &&
      h('p', { part: 'milestone', class: 'quiet' }, words.text('streakMilestone', { count: nextMilestone.length })),
    nextMilestone !== undefined && rewardLine(nextMilestone.rewards, words),
    days !== undefined && calendarView(marksOf({ missionId, period, streak: streak! }, days), period, words),
  );
}

const LOOK = `
.run + .run { margin-block-start: 16px; padding-block-start: 16px; border-block-start: 1px solid var(--_line); }
.name { font-weight: 600; }
.run p + p { margin-block-start: 4px; }
.kept { font-size: .875em; font-weight: 600; color: var(--_accent); }
.kept::before { content: '✓ '; content: '✓ ' / ''; }
`;
