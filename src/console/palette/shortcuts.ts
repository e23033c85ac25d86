import { navigation } from '../shell/navigation.ts';

/** The functions of keys. Their texts are `palette.shortcuts.<key>`; those of a page are the navigation's. */
export type Shortcut = {
  readonly key: ShortcutKey;
  /** The keys in their order. */
  readonly keys: readonly string[];
};

type ShortcutKey = 'palette' | 'search' | 'save' | 'help';

const MODIFIER = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl';

/** The shortcuts that do not open a page. */
export const shortcuts: readonly Shortcut[] = [
  { key: 'palette', keys: [MODIFIER, 'K'] },
  { key: 'search', keys: ['/'] },
  { key: 'save', keys: [MODIFIER, 'S'] },
  { key: 'help', keys: ['?'] },
];

/** The first key of the shortcuts that open a page. */
export const GO = 'g';

/** The pages that two keys lead to, in the order of the navigation. */
export const goTos = navigation
  .flatMap(({ destinations }) => destinations)
  .flatMap((destination) => (destination.shortcut ? [{ ...destination, shortcut: destination.shortcut }] : []));
