import { navigation } from '../shell/navigation.ts';

/** The functions of keys. Their texts are `palette.shortcuts.<key>`; those of a page are the navigation's. */
export type Shortcut = {
  readonly key: ShortcutKey;
  /** How it is written, key after key. */
  readonly keys: readonly string[];
};

type ShortcutKey = 'palette' | 'search' | 'save' | 'help';

const MODIFIER = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl';

/** Those that are not the way to a page. */
export const shortcuts: readonly Shortcut[] = [
  { key: 'palette', keys: [MODIFIER, 'K'] },
  { key: 'search', keys: ['/'] },
  { key: 'save', keys: [MODIFIER, 'S'] },
  { key: 'help', keys: ['?'] },
];

/** The key after which another one goes to a page. */
export const GO = 'g';

/** The pages that two keys lead to, in the order of the navigation. */
export const goTos = navigation
  .flatMap(({ destinations }) => destinations)
  .flatMap((destination) => (destination.shortcut ? [{ ...destination, shortcut: destination.shortcut }] : []));
