import type { Messages } from '../messages/messages.ts';
import type { Language } from './preferences.ts';

/** Each language is a separate file, so that only one is loaded. */
const files: Record<Language, () => Promise<Texts>> = {
  // The service speaks English.
  en: async () => ({ messages: (await import('../messages/en/index.ts')).en, serviceMessages: undefined }),
  es: async () => {
    const { es, serviceMessages } = await import('../messages/es/index.ts');
    return { messages: es, serviceMessages };
  },
};

/** The texts of one language. */
type Texts = {
  readonly messages: Messages;
  /** The sentences of the service by their English form; undefined for the language that it speaks. */
  readonly serviceMessages: Readonly<Record<string, string>> | undefined;
};

const loaded = new Map<Language, Texts>();

/**
 * Fetches a language's texts. Awaited before anything is shown in it: React holds what follows a first fallback back for
 * 300 ms, which people would wait for at every start.
 */
export async function loadTexts(language: Language): Promise<void> {
  if (!loaded.has(language)) loaded.set(language, await files[language]());
}

/** The texts of a language that was loaded. */
export function textsOf(language: Language): Messages {
  return loadedTexts(language).messages;
}

/** The sentences of the service in a language that was loaded, by their English form; undefined for English. */
export function serviceMessagesOf(language: Language): Texts['serviceMessages'] {
  return loadedTexts(language).serviceMessages;
}

function loadedTexts(language: Language): Texts {
  const texts = loaded.get(language);
  if (texts === undefined) throw new Error(`The texts of ${language} were not loaded before they were shown.`);
  return texts;
}
