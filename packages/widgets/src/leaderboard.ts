import { type Child, h } from './base/dom.ts';
import { LaurelElement } from './base/element.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';

type Entry = { readonly rank: number; readonly value: number; readonly displayName?: string; readonly own?: boolean };

type Place = { readonly league: number; readonly leagueName: string; readonly group?: number };

type Standing = {
  readonly run?: { readonly until?: string };
  readonly entry?: Entry;
  readonly rows: readonly Entry[];
  readonly hidden: boolean;
  readonly place?: Place;
};

type Board = { readonly id: string; readonly name: string };

type Shown = Standing & { readonly board: Board | undefined; readonly best: readonly Entry[] };

/** The best entries beside an account with a rank, and without one. */
const BEST = 3;
const BEST_ALONE = 10;

/** `<laurel-leaderboard>`: the best entries and those around the account. The attribute `board` is an id; the first one by default. */
export class LaurelLeaderboard extends LaurelElement<Shown> {
  static override readonly observedAttributes = ['lang', 'board', 'around'];
  protected readonly kinds: readonly string[] = [];
  protected readonly heading = 'leaderboardTitle';
  protected override readonly look = LOOK;
  // Others move it, which no stream of this account announces.
  protected override readonly everyMs = 15_000;

  override attributeChangedCallback(): void {
    super.attributeChangedCallback();
    void this.refresh();
  }

  protected async load(connection: Connection): Promise<Shown> {
    const wanted = this.getAttribute('board');
    const list = await connection.read<{ readonly rows: readonly { leaderboardId: string; name: string }[] }>(
      '/v1/accounts/me/leaderboards',
    );
    const boards = list.rows.map(({ leaderboardId: id, name }) => ({ id, name }));
    const board = wanted === null ? boards[0] : boards.find(({ id }) => id === wanted);
    if (board === undefined) return { board, best: [], rows: [], hidden: false };
    const around = Number(this.getAttribute('around') ?? 2);
    const path = `/v1/accounts/me/leaderboards/${board.id}?around=${around}`;
    const standing = await connection.read<Standing>(path);
    const { place, entry } = standing;
    const group = place?.group === undefined ? '' : `&league=${place.league}&group=${place.group}`;
    const limit = entry === undefined ? BEST_ALONE : BEST;
    const best = await connection.read<{ readonly rows: readonly Entry[] }>(
      `/v1/leaderboards/${board.id}/entries/paginated?page=1&limit=${limit}${group}`,
    );
    return { ...standing, board, best: best.rows };
  }

  protected override aside({ place, run }: Shown, words: Words): Child {
    const end = run?.until === undefined ? undefined : words.text('leaderboardEnds', { date: words.day(run.until) });
    const text = [place?.leagueName, end].filter((each) => each !== undefined).join(' · ');
    return text === '' ? undefined : h('p', { part: 'about', class: 'quiet' }, text);
  }

  protected view({ board, best, rows, entry, hidden }: Shown, words: Words): readonly Child[] {
    if (board === undefined) return [h('p', { part: 'empty', class: 'quiet' }, words.text('leaderboardNone'))];
    const first = rows[0]?.rank ?? 0;
    const above = entry === undefined ? best : best.filter(({ rank }) => rank < first);
    const hasGap = above.length > 0 && rows.length > 0 && first > above.at(-1)!.rank + 1;
    return [
      h('p', { part: 'name', class: 'name' }, h('bdi', {}, board.name)),
      h(
        'table',
        { part: 'table' },
        h(
          'thead',
          { class: 'heard' },
          h('tr', {}, ...(['rank', 'who', 'value'] as const).map((key) => h('th', { scope: 'col' }, words.text(key)))),
        ),
        h(
          'tbody',
          {},
          ...above.map((each) => entryView(each, words)),
          hasGap &&
            h('tr', { part: 'gap', class: 'gap', 'aria-hidden': 'true', key: 'gap' }, h('td', { colspan: 3 }, '⋯')),
          ...rows.map((each) => entryView(each, words)),
        ),
      ),
      hidden && h('p', { part: 'hint', class: 'quiet' }, words.text('leaderboardHidden')),
      !hidden && entry === undefined && h('p', { part: 'hint', class: 'quiet' }, words.text('leaderboardUnranked')),
    ];
  }
}

function entryView({ rank, value, displayName, own }: Entry, words: Words): Child {
  const name = own === true ? words.text('you') : (displayName ?? words.text('someone'));
  return h(
    'tr',
    { part: own === true ? 'entry own' : 'entry', class: own === true ? 'own' : undefined },
    h('td', { part: 'rank', class: 'figures' }, words.number(rank)),
    h('td', { part: 'who' }, h('bdi', {}, name)),
    h('td', { part: 'points', class: 'figures' }, words.number(value)),
  );
}

const LOOK = `
.name { font-weight: 600; }
table { inline-size: 100%; margin-block-start: 8px; border-collapse: collapse; }
td, th { padding: 6px 8px; text-align: start; font-weight: 400; }
.figures { inline-size: 1%; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:last-child { text-align: end; }
tbody tr + tr { border-block-start: 1px solid var(--_line); }
.own { background: var(--_tint); }
.own td:first-child { border-start-start-radius: 8px; border-end-start-radius: 8px; }
.own td:last-child { border-start-end-radius: 8px; border-end-end-radius: 8px; }
.own td { font-weight: 700; }
.gap td { padding-block: 0; text-align: center; color: var(--_quiet); }
`;
