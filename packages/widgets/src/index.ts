// The widgets as a package: `define()` makes their elements known to the page.
import { LaurelBadges } from './badges.ts';
import { LaurelChests } from './chests.ts';
import { LaurelLeaderboard } from './leaderboard.ts';
import { LaurelLevel } from './level.ts';
import { LaurelMissions } from './missions.ts';
import { LaurelPoints } from './points.ts';
import { LaurelStreak } from './streak.ts';

export { connect, type Settings } from './base/connect.ts';
export type { Languages } from './base/words.ts';
export type { TokenSource } from './connection/tokens.ts';
export type { Text, TextKey, Texts } from './texts/en.ts';
export { LaurelBadges, LaurelChests, LaurelLeaderboard, LaurelLevel, LaurelMissions, LaurelPoints, LaurelStreak };

/** The elements by their names. */
export const elements = {
  'laurel-points': LaurelPoints,
  'laurel-level': LaurelLevel,
  'laurel-badges': LaurelBadges,
  'laurel-missions': LaurelMissions,
  'laurel-streak': LaurelStreak,
  'laurel-leaderboard': LaurelLeaderboard,
  'laurel-chests': LaurelChests,
} as const satisfies Readonly<Record<string, CustomElementConstructor>>;

/** Makes the elements known to the page. Names that are known already stay as they are. */
export function define(): void {
  for (const [name, element] of Object.entries(elements)) {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'laurel-points': LaurelPoints;
    'laurel-level': LaurelLevel;
    'laurel-badges': LaurelBadges;
    'laurel-missions': LaurelMissions;
    'laurel-streak': LaurelStreak;
    'laurel-leaderboard': LaurelLeaderboard;
    'laurel-chests': LaurelChests;
  }
}
