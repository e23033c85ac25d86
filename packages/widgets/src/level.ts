import { progressBar } from './base/bar.ts';
import { type Child, h } from './base/dom.ts';
import { LaurelElement } from './base/element.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';

type Level = { readonly name: string; readonly code: string; readonly imageUrl?: string };

type Track = {
  readonly trackCode: string;
  readonly trackName: string;
  readonly level?: Level;
  readonly next?: { readonly level: Level; readonly missing: number; readonly progress: number };
  readonly reviewAt?: string;
  readonly levelAfterReview?: Level;
};

/** `<laurel-level>`: the level in each track, or in the one of the attribute `track`, and the way to the next one. */
export class LaurelLevel extends LaurelElement<readonly Track[]> {
  static override readonly observedAttributes = ['lang', 'track'];
  protected readonly kinds = ['LEVEL_CHANGED', 'LEVEL_AT_RISK', 'POINTS_CHANGED', 'MISSION_COMPLETED'];
  protected readonly heading = 'levelTitle';
  protected override readonly look = LOOK;
  // Events move the value without a change of the level, which no stream announces.
  protected override readonly everyMs = 30_000;

  protected async load(connection: Connection): Promise<readonly Track[]> {
    return (await connection.read<{ readonly rows: readonly Track[] }>('/v1/accounts/me/levels')).rows;
  }

  protected view(tracks: readonly Track[], words: Words): readonly Child[] {
    const wanted = this.getAttribute('track');
    const shown = wanted === null ? tracks : tracks.filter(({ trackCode }) => trackCode === wanted);
    if (shown.length === 0) return [h('p', { part: 'empty', class: 'quiet' }, words.text('levelNone'))];
    return shown.map((track) => trackView(track, { words, isNamed: shown.length > 1 }));
  }
}

type Manner = { readonly words: Words; readonly isNamed: boolean };

function trackView({ trackCode, trackName, level, next, ...review }: Track, { words, isNamed }: Manner): Child {
  const image = level?.imageUrl;
  return h(
    'div',
    { part: 'track', class: 'track', key: trackCode },
    isNamed && h('p', { part: 'track-name', class: 'quiet' }, trackName),
    h(
      'p',
      { part: 'level', class: 'level', 'aria-live': 'polite' },
      image !== undefined && h('img', { part: 'picture', src: image, alt: '', loading: 'lazy' }),
      level?.name ?? words.text('levelNone'),
    ),
    ...(next === undefined
      ? [h('p', { part: 'hint', class: 'quiet' }, words.text('levelHighest'))]
      : wayTo(next, words)),
    reviewLine(level, review, words),
  );
}

function wayTo({ level, missing, progress }: NonNullable<Track['next']>, words: Words): readonly Child[] {
  const spoken = words.text('levelProgress', { percent: words.percent(progress), level: level.name });
  return [
    progressBar({ label: words.text('levelTitle'), share: progress, spoken }),
    h('p', { part: 'hint', class: 'quiet' }, words.text('levelMissing', { count: missing, level: level.name })),
  ];
}

function reviewLine(level: Level | undefined, { reviewAt, levelAfterReview }: Partial<Track>, words: Words): Child {
  if (reviewAt === undefined || level === undefined) return undefined;
  const date = words.day(reviewAt);
  const text =
    levelAfterReview === undefined
      ? words.text('levelEnds', { date })
      : levelAfterReview.code === level.code
        ? words.text('levelReview', { date })
        : words.text('levelFalls', { date, level: levelAfterReview.name });
  return h('p', { part: 'review', class: 'quiet' }, text);
}

const LOOK = `
.track + .track { margin-block-start: 16px; padding-block-start: 16px; border-block-start: 1px solid var(--_line); }
.level { display: flex; align-items: center; gap: 8px; font-size: 1.375em; font-weight: 700; line-height: 1.3; }
.level img { inline-size: 32px; block-size: 32px; object-fit: contain; }
`;
