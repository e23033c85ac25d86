import { ActingElement } from './base/acting-element.ts';
import { BUTTON_LOOK, buttonView, resultView } from './base/button.ts';
import { type Child, h } from './base/dom.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';
import { namesOf, type NamedReward } from './feed.ts';

type Chest = { readonly id: string; readonly chestId: string; readonly name: string; readonly openedAt?: string };

type Odds = {
  readonly prizes: readonly { readonly reward: NamedReward; readonly percent: string }[];
  readonly nothingPercent: string;
};

type Won = { readonly rewardId: string };

type Opened = { readonly rewards: readonly Won[]; readonly pendingRewards?: readonly Won[] };

type Shown = { readonly chests: readonly Chest[]; readonly odds: ReadonlyMap<string, Odds> };

/** `<laurel-chests>`: the closed chests with their odds. A token with OPEN opens them. */
export class LaurelChests extends ActingElement<Shown> {
  protected readonly kinds = ['REWARD_EARNED', 'REWARDS_DELIVERED', 'REWARDS_REVERSED', 'CHEST_OPENED'];
  protected readonly heading = 'chestsTitle';
  protected override readonly look = BUTTON_LOOK + LOOK;

  protected async load(connection: Connection): Promise<Shown> {
    const all = await connection.read<readonly Chest[]>('/gamification/chests/account/me');
    const chests = all.filter(({ openedAt }) => openedAt === undefined);
    const kinds = [...new Set(chests.map(({ chestId }) => chestId))];
    const odds = kinds.map(
      async (id) => [id, await connection.read<Odds>(`/v1/chest-definitions/${id}/odds`)] as const,
    );
    return { chests, odds: new Map(await Promise.all(odds)) };
  }

  protected override aside({ chests }: Shown, words: Words): Child {
    return chests.length > 1 && h('p', { part: 'count', class: 'quiet' }, words.number(chests.length));
  }

  protected view({ chests, odds }: Shown, words: Words): readonly Child[] {
    return [
      resultView(this.result),
      chests.length === 0 && h('p', { part: 'empty', class: 'quiet' }, words.text('chestsNone')),
      chests.length > 0 &&
        h(
          'ul',
          { part: 'list', class: 'chests' },
          ...chests.map((chest) => this.#chest(chest, odds.get(chest.chestId), words)),
        ),
    ];
  }

  #chest(chest: Chest, odds: Odds | undefined, words: Words): Child {
    return h(
      'li',
      { part: 'chest', key: chest.id },
      h(
        'div',
        { class: 'row' },
        h('strong', { part: 'name', id: `name-${chest.id}` }, h('bdi', {}, chest.name)),
        buttonView(
          chest.id,
          { text: 'chestOpen', busy: this.acting, onclick: () => void this.#open(chest, odds, words) },
          words,
        ),
      ),
      odds !== undefined && oddsView(odds, words),
    );
  }

  #open({ id, name }: Chest, odds: Odds | undefined, words: Words): Promise<void> {
    const offered = odds?.prizes.map(({ reward }) => reward) ?? [];
    const inWords = ({ rewards, pendingRewards = [] }: Opened) => {
      const won = [...rewards, ...pendingRewards];
      if (won.length === 0) return words.text('chestEmpty', { chest: name });
      return words.text('got', { name, rewards: namesOf(won, offered, words) });
    };
    return this.act({ id, path: `/gamification/chests/${id}/open`, inWords }, words);
  }
}

function oddsView({ prizes, nothingPercent }: Odds, words: Words): Child {
  const line = (key: string, name: string, percent: string) =>
    h(
      'li',
      { part: 'prize', class: 'prize', key },
      h('bdi', {}, name),
      h('span', { class: 'quiet' }, words.percentText(percent)),
    );
  return h(
    'details',
    { part: 'odds' },
    h('summary', { class: 'quiet' }, words.text('chestOdds')),
    h(
      'ul',
      {},
      ...prizes.map(({ reward, percent }) =>
        line(reward.id, reward.name === '' ? words.text('badgeSecret') : reward.name, percent),
      ),
      nothingPercent !== '0' && line('nothing', words.text('chestNothing'), nothingPercent),
    ),
  );
}

const LOOK = `
.chests { display: grid; gap: 12px; margin-block-start: 12px; }
.chests > li + li { padding-block-start: 12px; border-block-start: 1px solid var(--_line); }
.row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 12px; }
summary { cursor: pointer; padding-block: 6px; }
.prize { display: flex; justify-content: space-between; gap: 12px; padding-block: 3px; font-size: .875em; }
`;
