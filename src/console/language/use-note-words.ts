import { useFormatter, useTranslations } from 'use-intl';
import { useStoredWords } from './use-service-words.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Beginnings of notes that the service writes in English, with their values; a person's reason may follow. */
const FORMS = {
  erased: /^Erased: /,
  deleted: /^Deleted: /,
  account: new RegExp(`^Account (?<id>${UUID})(?:: |$)`),
  campaign: new RegExp(`^Campaign (?<id>${UUID})(?:: |$)`),
  dropped: /^DROP (?<count>\d+): /,
  applied: /^APPLY (?<count>\d+): /,
  sealed: /^(?<count>\d+) sealed again\.$/,
  copied: new RegExp(`^Copied from '(?<name>[^]*)' \\((?<id>${UUID})\\)\\.$`),
  sentAgain: new RegExp(`^Sent again because of the attempt (?<id>${UUID}), which was (?<outcome>[A-Z_]+)\\.$`),
  resent: /^(?<count>\d+) sent again of what was (?<outcomes>[A-Z_, ]+) from (?<since>\S+Z) to (?<until>\S+Z): /,
  provider: /^By (?<name>[^.]+)\.(?: |$)/,
  factor: /^With a second factor\.(?: |$)/,
  recovery: /^With a recovery code; (?<count>\d+) are left\.(?: |$)/,
  failed: /^(?<count>\d+) sign-ins with a wrong password came before this one\.(?: |$)/,
} as const;

type Form = keyof typeof FORMS;

/** Notes of the audit log in the operator's language; what people wrote stays unchanged. */
export function useNoteWords(): (note: string) => string {
  const t = useTranslations('notes');
  const outcomes = useTranslations('webhooks.outcomes');
  const format = useFormatter();
  const stored = useStoredWords();

  function inWords(note: string): string {
    for (const form of Object.keys(FORMS) as Form[]) {
      const found = FORMS[form].exec(note);
      if (found === null) continue;
      const rest = note.slice(found[0].length);
      const words = t(form, valuesOf(found.groups ?? {}));
      return rest === '' ? words.replace(/[\s:]+$/, '') : `${words} ${inWords(rest)}`;
    }
    return stored(note);
  }

  function valuesOf({ count = '0', since = '', until = '', outcome = '', outcomes: several = '', ...rest }) {
    const { id = '', name = '' } = rest as Readonly<Record<string, string>>;
    return {
      id,
      name,
      count: Number(count),
      since: momentOf(since),
      until: momentOf(until),
      outcomes: [...several.split(', '), outcome]
        .filter((word) => word !== '')
        .map(outcomeOf)
        .join(', '),
    };
  }

  function momentOf(text: string): string {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) ? text : format.dateTime(moment, 'moment');
  }

  function outcomeOf(word: string): string {
    return word === 'REFUSED' || word === 'TIMED_OUT' || word === 'FAILED' || word === 'DELIVERED'
      ? outcomes(word)
      : word;
  }

  return inWords;
}

/** Signs in which a whole text may stand. */
const QUOTES = /^["'“”«»„]+|["'“”«»„]+$/g;

/** A note in the operator's language and in one pair of quotes, also where it was written with its own. */
export function useQuotedNote(): (note: string) => string {
  const t = useTranslations('timeline');
  const words = useNoteWords();
  return (note) => {
    // The account is the one on the page.
    const text = words(note.replace(FORMS.account, ''));
    const bare = text.replaceAll(QUOTES, '');
    // Quotes around a part, as in: "A" instead of "B".
    return t('note', { note: /["“”«»„]/.test(bare) || bare === '' ? text : bare });
  };
}
