import { textsOf } from '../../language/texts.ts';
import { usePreferences } from '../../language/preferences.ts';

/** A name of the API as people write: `completionRewardIds` is `Completion reward ids`. */
export function inWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The words of the log in the person's language, and as options of its filters, by their own names. */
export function useAuditWords() {
  const { language } = usePreferences();
  const { operations, kinds } = textsOf(language).audit;
  const operationWords: Readonly<Record<string, string>> = Object.assign(
    {},
    ...Object.entries(operations).map(([service, methods]) =>
      Object.fromEntries(Object.entries(methods).map(([method, words]) => [`${service}.${method}`, words])),
    ),
  );
  const kindWords: Readonly<Record<string, string>> = kinds;
  return {
    // An entry of another release may name what this one does not know.
    operationInWords: (operation: string) =>
      operationWords[operation] ?? inWords(operation.split('.').at(-1) ?? operation),
    kindInWords: (resourceType: string) => kindWords[resourceType] ?? inWords(resourceType),
    operationOptions: optionsOf(operationWords),
    kindOptions: optionsOf(kindWords),
  };
}

function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
