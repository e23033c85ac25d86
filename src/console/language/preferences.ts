import { useSyncExternalStore } from 'react';

/** The languages of the console, by their own names. */
export const languages = { en: 'English', es: 'Español' } as const;

/** A language of the console. */
export type Language = keyof typeof languages;

/** The preferences of a person, stored in this browser only. */
export type Preferences = {
  readonly language: Language;
  /** IANA zone in which times are shown. */
  readonly timeZone: string;
};

const KEY = 'laurel.preferences';
const listeners = new Set<() => void>();
let current = read();

/** The language to begin in. */
export function preferredLanguage(): Language {
  return current.language;
}

/** The stored preferences of this browser; without any, the browser's settings. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

/** Changes some of the preferences. */
export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  localStorage.setItem(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Preferences {
  const own: Preferences = {
    language: navigator.language.startsWith('es') ? 'es' : 'en',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>;
    return { ...own, ...kept };
  } catch {
    return own;
  }
}
