import { type Child, h } from './base/dom.ts';
import { LaurelElement } from './base/element.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';

type Badge = {
  readonly rewardId: string;
  readonly name?: string;
  readonly imageUrl?: string;
  readonly description?: string;
  readonly earnedAt?: string;
  readonly rarity?: { readonly share: number };
};

/** `<laurel-badges>`: the badges, those of the account first. The attribute `earned` leaves out the others. */
export class LaurelBadges extends LaurelElement<readonly Badge[]> {
  static override readonly observedAttributes = ['lang', 'earned'];
  protected readonly kinds = ['REWARD_EARNED', 'REWARDS_DELIVERED', 'REWARDS_REVERSED', 'LEVEL_CHANGED'];
  protected readonly heading = 'badgesTitle';
  protected override readonly look = LOOK;

  protected async load(connection: Connection): Promise<readonly Badge[]> {
    return (await connection.read<{ readonly rows: readonly Badge[] }>('/v1/accounts/me/badges')).rows;
  }

  protected override aside(badges: readonly Badge[], words: Words): Child {
    if (badges.length === 0) return undefined;
    const count = badges.filter(({ earnedAt }) => earnedAt !== undefined).length;
    return h('p', { part: 'count', class: 'quiet' }, words.text('badgesEarned', { count, total: badges.length }));
  }

  protected view(badges: readonly Badge[], words: Words): readonly Child[] {
    const [earned, missing] = [badges.filter(({ earnedAt }) => earnedAt), badges.filter(({ earnedAt }) => !earnedAt)];
    const shown = this.hasAttribute('earned') ? earned : [...earned, ...missing];
    if (shown.length === 0) return [h('p', { part: 'empty', class: 'quiet' }, words.text('badgesNone'))];
    return [h('ul', { part: 'list', class: 'badges' }, ...shown.map((badge) => badgeView(badge, words)))];
  }
}

function badgeView({ rewardId, name, imageUrl, description, earnedAt, rarity }: Badge, words: Words): Child {
  const isEarned = earnedAt !== undefined;
  return h(
    'li',
    { part: isEarned ? 'badge earned' : 'badge', class: isEarned ? 'earned' : undefined, key: rewardId },
    h(
      'span',
      { part: 'picture', class: 'picture', 'aria-hidden': 'true' },
      imageUrl === undefined ? medal() : h('img', { src: imageUrl, alt: '', loading: 'lazy' }),
    ),
    h('strong', { part: 'name' }, h('bdi', {}, name ?? words.text('badgeSecret'))),
    description !== undefined && h('span', { part: 'description', class: 'quiet' }, h('bdi', {}, description)),
    h(
      'span',
      { part: 'state', class: 'quiet' },
      isEarned ? words.text('badgeEarned', { date: words.day(earnedAt) }) : words.text('badgeMissing'),
    ),
    rarity !== undefined &&
      h(
        'span',
        { part: 'rarity', class: 'quiet' },
        words.text('badgeRarity', { percent: words.percent(rarity.share) }),
      ),
  );
}

function medal(): Child {
  return h(
    'svg',
    { viewBox: '0 0 24 24' },
    h('path', { d: 'M8.2 13.7 7 22l5-3 5 3-1.2-8.3' }),
    h('circle', { cx: 12, cy: 8, r: 6 }),
  );
}

const LOOK = `
.badges {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(7.25rem, 100%), 1fr)); gap: 16px 12px; margin-block-start: 12px;
}
li { display: flex; flex-direction: column; align-items: center; gap: 2px; text-align: center; }
.picture {
  display: grid; place-items: center; inline-size: 56px; block-size: 56px; margin-block-end: 6px; border-radius: 50%;
  border: 1px dashed var(--_line); color: var(--_quiet); overflow: hidden;
}
.earned .picture { border: none; background: var(--_tint); color: var(--_accent); }
.picture img { inline-size: 100%; block-size: 100%; object-fit: cover; }
li:not(.earned) img { filter: grayscale(1); opacity: .5; }
li:not(.earned) strong { font-weight: 500; color: var(--_quiet); }
svg { inline-size: 28px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linejoin: round; }
li .quiet { font-size: .8125em; }
`;
