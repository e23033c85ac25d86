import { type Child, h } from './base/dom.ts';
import { LaurelElement } from './base/element.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';
import { FEED_EVERY_MS, FEED_KINDS, FEED_LOOK, type FeedItem, readFeed, rewardLine, wayTo } from './feed.ts';

/** `<laurel-missions>`: the missions of the account with progress and rewards, or those of the attribute `campaign`, an id. */
export class LaurelMissions extends LaurelElement<readonly FeedItem[]> {
  static override readonly observedAttributes = ['lang', 'campaign'];
  protected readonly kinds = FEED_KINDS;
  protected readonly heading = 'missionsTitle';
  protected override readonly look = FEED_LOOK + LOOK;
  protected override readonly everyMs = FEED_EVERY_MS;

  protected load(connection: Connection): Promise<readonly FeedItem[]> {
    return readFeed(connection);
  }

  protected view(items: readonly FeedItem[], words: Words): readonly Child[] {
    const campaign = this.getAttribute('campaign');
    const shown = campaign === null ? items : items.filter(({ campaignId }) => campaignId === campaign);
    if (shown.length === 0) return [h('p', { part: 'empty', class: 'quiet' }, words.text('missionsNone'))];
    return [h('ul', { part: 'list', class: 'missions' }, ...shown.map((item) => missionView(item, words)))];
  }
}

function missionView(item: FeedItem, words: Words): Child {
  const { id, name, description, imageUrl, progress, target, rewards } = item;
  const isEndless = target === 0;
  return h(
    'li',
    { part: 'mission', class: 'mission', key: id },
    imageUrl !== undefined && h('img', { part: 'picture', src: imageUrl, alt: '', loading: 'lazy' }),
    h(
      'div',
      {},
      h(
        'div',
        { class: 'line' },
        h('strong', { part: 'name' }, h('bdi', {}, name)),
        h(
          'span',
          { part: 'progress', class: 'quiet count' },
          isEndless ? words.number(progress) : words.text('progress', { count: progress, target }),
        ),
      ),
      description !== '' && h('p', { part: 'description', class: 'quiet' }, h('bdi', {}, description)),
      !isEndless && wayTo(name, { value: progress, target }, words),
      ...hints(item, words).map((hint) => h('p', { part: 'hint', class: 'quiet' }, hint)),
      rewardLine(rewards, words),
    ),
  );
}

/** The things to know before the next event. */
function hints({ claimable, locks, expiresAt, occurrences }: FeedItem, words: Words): string[] {
  const closed = locks.filter(({ met }) => !met);
  return [
    ...(claimable ? [words.text('missionClaimable')] : []),
    ...closed.map(({ missionName, opensAt }) => {
      if (missionName !== undefined) return words.text('missionAfter', { mission: missionName });
      return opensAt === undefined
        ? words.text('missionLocked')
        : words.text('missionOpens', { time: words.moment(opensAt) });
    }),
    ...(occurrences === undefined
      ? []
      : [words.text('missionTimes', { count: occurrences.completed, target: occurrences.target })]),
    ...(expiresAt === undefined ? [] : [words.text('missionEnds', { time: words.moment(expiresAt) })]),
  ];
}

const LOOK = `
.missions { display: grid; gap: 16px; margin-block-start: 12px; }
.mission { display: flex; gap: 12px; }
.mission + .mission { padding-block-start: 16px; border-block-start: 1px solid var(--_line); }
.mission > div { flex: 1; min-inline-size: 0; }
.mission img { flex: none; inline-size: 48px; block-size: 48px; border-radius: 8px; object-fit: cover; }
.count { flex: none; font-variant-numeric: tabular-nums; }
.mission p + p, .mission .line + p { margin-block-start: 2px; }
`;
