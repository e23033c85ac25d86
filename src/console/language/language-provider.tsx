import { type ReactNode, useEffect } from 'react';
import { IntlProvider } from 'use-intl';
import { type Language, usePreferences } from './preferences.ts';
import { textsOf } from './texts.ts';

/** Gives everything below its texts, and the formats of dates and numbers. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const { language, timeZone } = usePreferences();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <IntlProvider locale={language} messages={textsOf(language) as EnglishTexts} timeZone={timeZone} formats={formats}>
      {children}
    </IntlProvider>
  );
}

/** The library checks keys and arguments by the English texts, which are literal types to it. */
type EnglishTexts = typeof import('../messages/en/index.ts').en;

/** The ways in which the console writes dates and numbers: `format.dateTime(date, 'moment')`. Hours run to 24, as in the log. */
const formats = {
  dateTime: {
    day: { day: 'numeric', month: 'short', year: 'numeric' },
    moment: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    second: {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    },
    hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    shortDay: { day: 'numeric', month: 'short' },
    shortMoment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  },
  number: {
    /** Points, targets and prices have four decimals; the platform would round them to three. */
    amount: { maximumFractionDigits: 4 },
    signedAmount: { maximumFractionDigits: 4, signDisplay: 'exceptZero' },
    /** Beside an axis. */
    short: { notation: 'compact' },
  },
} as const;

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: EnglishTexts;
    Formats: typeof formats;
  }
}
