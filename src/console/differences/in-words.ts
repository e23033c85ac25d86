import { useTranslations } from 'use-intl';
import { fieldLabels, valueWords } from '../language/service-vocabulary.ts';
import { textsOf } from '../language/texts.ts';
import { usePreferences } from '../language/preferences.ts';

/** A name of the API as people write: `completionRewardIds` is `Completion reward ids`. */
export function inWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The words of the log in the person's language, and as options of its filters, by their own names. */
export function useAuditWords() {
  const { language } = usePreferences();
  const t = useTranslations();
  const { operations, kinds, fields } = textsOf(language).audit;
  const labels: Readonly<Record<string, (typeof fieldLabels)[keyof typeof fieldLabels]>> = fieldLabels;
  const values: Readonly<Record<string, (typeof valueWords)[keyof typeof valueWords]>> = valueWords;
  const ownWords: Readonly<Record<string, string>> = fields;
  const operationWords: Readonly<Record<string, string>> = Object.assign(
    {},
    ...Object.entries(operations).map(([service, methods]) =>
      Object.fromEntries(Object.entries(methods).map(([method, words]) => [`${service}.${method}`, words])),
    ),
  );
  const kindWords: Readonly<Record<string, string>> = kinds;
  return {
    // An entry of another release may have unknown names.
    operationInWords: (operation: string) =>
      operationWords[operation] ?? inWords(operation.split('.').at(-1) ?? operation),
    kindInWords: (resourceType: string) => kindWords[resourceType] ?? inWords(resourceType),
    /** One part of the path to a value: the label of a field in its form, or the number of an element. */
    fieldInWords: (name: string) => {
      const label = labels[name];
      return ownWords[name] ?? (label === undefined ? inWords(name) : t(label));
    },
    /** The console's text for a word of the API; any other value unchanged. */
    valueInWords: (value: string) => {
      const word = values[value];
      return word === undefined ? value : t(word);
    },
    operationOptions: optionsOf(operationWords),
    kindOptions: optionsOf(kindWords),
  };
}

function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
