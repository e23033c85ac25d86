import { ar } from '../texts/ar.ts';
import { en, type Text, type TextKey, type Texts } from '../texts/en.ts';
import { es } from '../texts/es.ts';

/** The texts of each language, by its code. */
export type Languages = Readonly<Record<string, Texts>>;

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = /^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)\b/;

const OURS: Languages = { en, es, ar };

/** The values of a text; numbers are written as the language does. */
export type Values = Readonly<Record<string, string | number>>;

/** Texts, numbers and dates in one language. */
export class Words {
  /** The language, as in `lang`. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly #texts: readonly Texts[];
  readonly #plurals: Intl.PluralRules;

  /** @param theirs the texts of the page, which come before ours */
  constructor(language: string, theirs: Languages = {}) {
    const known = isKnown(language) ? language : 'en';
    const short = known.split('-')[0]!.toLowerCase();
    const found = [theirs[known], theirs[short], OURS[short]].filter((each) => each !== undefined);
    // A language without texts would mix English words with foreign dates.
    this.language = found.length > 0 ? known : 'en';
    this.direction = RIGHT_TO_LEFT.test(this.language) ? 'rtl' : 'ltr';
    this.#texts = [...found, theirs['en'] ?? {}, en];
    this.#plurals = new Intl.PluralRules(this.language);
  }

  text(key: TextKey, values: Values = {}): string {
    const text: Text = this.#texts.find((each) => each[key] !== undefined)?.[key] ?? '';
    return this.#form(text, values).replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      // A name may be written in the other direction: isolated, it does not turn the words around it.
      return typeof value === 'number' ? this.number(value) : `\u2068${value}\u2069`;
    });
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.language, { maximumFractionDigits: 4 }).format(value);
  }

  /** A share from 0 to 1. Some are never written as none, nor most as all. */
  percent(share: number): string {
    const digits = share > 0 && share < 0.01 ? { maximumSignificantDigits: 1 } : {};
    const shown = share < 1 ? Math.min(share, 0.99) : 1;
    return new Intl.NumberFormat(this.language, { style: 'percent', ...digits }).format(shown);
  }

  /** The day of a moment, with the year only if it is not this one. */
  day(moment: string): string {
    const date = new Date(moment);
    const isThisYear = date.getFullYear() === new Date().getFullYear();
    const year = isThisYear ? undefined : 'numeric';
    return new Intl.DateTimeFormat(this.language, { day: 'numeric', month: 'long', year }).format(date);
  }

  /** A date of the account's calendar, such as "2026-03-29": the same everywhere, in the calendar of the service. */
  date(date: string, parts: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.language, { ...parts, timeZone: 'UTC', calendar: 'gregory' }).format(
      new Date(date),
    );
  }

  /** A moment: the time of day today, otherwise with the day. */
  moment(moment: string): string {
    const date = new Date(moment);
    const isToday = date.toDateString() === new Date().toDateString();
    const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
    return new Intl.DateTimeFormat(this.language, { ...day, hour: 'numeric', minute: '2-digit' }).format(date);
  }

  /** Percent as the service writes them, such as "12.5". */
  percentText(percent: string): string {
    const format = new Intl.NumberFormat(this.language, { style: 'percent', maximumSignificantDigits: 4 });
    return format.format(Number(percent) / 100);
  }

  /** Names as a list, "a, b and c". */
  list(names: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: 'conjunction' }).format(names);
  }

  #form(text: Text, { count }: Values): string {
    if (typeof text === 'string') return text;
    return text[this.#plurals.select(Number(count ?? 0))] ?? text.other ?? '';
  }
}

function isKnown(language: string): boolean {
  try {
    return Intl.PluralRules.supportedLocalesOf(language).length > 0;
  } catch {
    // `lang` has something that is no language.
    return false;
  }
}
