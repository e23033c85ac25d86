import { useFormatter, useTranslations } from 'use-intl';
import { usePreferences } from './preferences.ts';
import { inWordsOf, type Sentence } from './service-sentence.ts';
import { fieldLabels, valueWords } from './service-vocabulary.ts';
import { partsOfStored } from './stored-sentence.ts';
import { serviceMessagesOf } from './texts.ts';

/** Says a sentence of the service in the operator's language, time zone and in the words of the forms. */
export function useServiceWords(): (sentence: Sentence) => string {
  const t = useTranslations();
  const format = useFormatter();
  const { language } = usePreferences();
  return (sentence) =>
    inWordsOf(
      {
        forms: serviceMessagesOf(language),
        label: (field) => (isKeyOf(fieldLabels, field) ? t(fieldLabels[field]) : undefined),
        element(list, number) {
          if (list === 'missions') return t('campaigns.mission', { number });
          return list === 'attributes' ? t('attributes.attribute', { number }) : undefined;
        },
        word: (value) => (isKeyOf(valueWords, value) ? t(valueWords[value]) : undefined),
        moment: (date) => format.dateTime(date, 'moment'),
        number: (value) => format.number(value, 'amount'),
        quoted: (text) => t('feedback.quoted', { text }),
      },
      sentence,
    );
}

/** Translates English texts that the service stored into the operator's language; texts of users stay unchanged. */
export function useStoredWords(): (text: string) => string {
  const words = useServiceWords();
  const { language } = usePreferences();
  return (text) => words({ message: text, metadata: partsOfStored(serviceMessagesOf(language) ?? {}, text) });
}

function isKeyOf<T extends object>(object: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(object, key);
}
