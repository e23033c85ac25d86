import { ActingElement } from './base/acting-element.ts';
import { BUTTON_LOOK, resultView } from './base/button.ts';
import { type Child, h } from './base/dom.ts';
import type { Words } from './base/words.ts';
import { type Claim, type Claimed, claimView, readClaims, wordsOf } from './claims.ts';
import type { Connection } from './connection/connection.ts';
import { FEED_EVERY_MS, FEED_KINDS, FEED_LOOK, type FeedItem, readFeed, rewardLine, wayTo } from './feed.ts';

type Shown = { readonly items: readonly FeedItem[]; readonly claims: readonly Claim[]; readonly mayClaim: boolean };

/**
 * `<laurel-missions>`: the missions of the account with progress and rewards, or those of the attribute `campaign`, an id. Before them are
 * campaigns that can be claimed, which a token with CLAIM does.
 */
export class LaurelMissions extends ActingElement<Shown> {
  static override readonly observedAttributes = ['lang', 'campaign'];
  protected readonly kinds = FEED_KINDS;
  protected readonly heading = 'missionsTitle';
  protected override readonly look = FEED_LOOK + BUTTON_LOOK + LOOK;
  protected override readonly everyMs = FEED_EVERY_MS;

  #lastClaim: Claim | undefined;

  protected async load(connection: Connection): Promise<Shown> {
    const [items, claims] = await Promise.all([readFeed(connection), readClaims(connection)]);
    return { items, claims, mayClaim: connection.may('CLAIM') };
  }

  protected view({ items, claims, mayClaim }: Shown, words: Words): readonly Child[] {
    const campaign = this.getAttribute('campaign');
    const isShown = (each: { readonly campaignId: string | null }) => campaign === null || each.campaignId === campaign;
    const [waiting, open] = [claims.filter(isShown), items.filter(isShown)];
    const lost = this.unanswered;
    // The claim has arrived, though its answer has not.
    const isDone = lost !== undefined && !claims.some(({ campaignId }) => campaignId === lost);
    const result = isDone ? words.text('missionDone', { campaign: this.#lastClaim!.name }) : this.result;
    return [
      resultView(result),
      waiting.length + open.length === 0 && h('p', { part: 'empty', class: 'quiet' }, words.text('missionsNone')),
      waiting.length + open.length > 0 &&
        h(
          'ul',
          { part: 'list', class: 'missions' },
          ...waiting.map((claim) =>
            claimView(claim, { mayClaim, busy: this.acting, onclick: () => void this.#claim(claim, words) }, words),
          ),
          ...open.map((item) => missionView(item, words)),
        ),
    ];
  }

  #claim(claim: Claim, words: Words): Promise<void> {
    const { campaignId: id } = claim;
    if (this.acting === undefined) this.#lastClaim = claim;
    const inWords = (claimed: Claimed) => wordsOf(claim, claimed, words);
    return this.act({ id, path: `/gamification/campaigns/${id}/claim`, inWords }, words);
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
function hints({ locks, expiresAt, occurrences }: FeedItem, words: Words): string[] {
  const closed = locks.filter(({ met }) => !met);
  return [
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
.claim { flex-wrap: wrap; align-items: center; }
.mission + .mission { padding-block-start: 16px; border-block-start: 1px solid var(--_line); }
.mission > div { flex: 1; min-inline-size: 0; }
.mission img { flex: none; inline-size: 48px; block-size: 48px; border-radius: 8px; object-fit: cover; }
.count { flex: none; font-variant-numeric: tabular-nums; }
.mission p + p, .mission .line + p { margin-block-start: 2px; }
`;
