import type { Messages } from '../messages/messages.ts';
import type { Language } from './preferences.ts';

/** Each language is a file of its own, so that nobody loads the other's. */
const files: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('../messages/en/index.ts')).en,
  es: async () => (await import('../messages/es/index.ts')).es,
};

const loaded = new Map<Language, Messages>();

/**
 * Fetches a language's texts. Awaited before anything is shown in it: React holds what follows a first fallback back for
 * 300 ms, which people would wait for at every start.
 */
export async function loadTexts(language: Language): Promise<void> {
  if (!loaded.has(language)) loaded.set(language, await files[language]());
}

/** The texts of a language that was loaded. */
export function textsOf(language: Language): Messages {
  const texts = loaded.get(language);
  if (texts === undefined) throw new Error(`The texts of ${language} were not loaded before they were shown.`);
  return texts;
}
