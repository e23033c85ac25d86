import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { useFormatter, useTranslations } from 'use-intl';
import { isMoment } from '../form/local-time.ts';

/** The attributes of one event, each with its value. */
export function AttributeValues({ values }: { readonly values: JsonObject }) {
  const t = useTranslations('attributes');
  const wordsOf = useValueWords();
  return (
    <span>
      {Object.entries(values)
        .map(([name, value]) => t('value', { name, value: wordsOf(value) }))
        .join(' · ')}
    </span>
  );
}

/** A value of an attribute as people write it. The declaration may have changed since, so its form says what it is. */
export function useValueWords(): (value: JsonValue) => string {
  const t = useTranslations('attributes');
  const format = useFormatter();
  return function words(value): string {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return format.number(value, 'amount');
    if (Array.isArray(value)) return value.map((each) => words(each)).join(', ');
    if (typeof value !== 'string') return JSON.stringify(value);
    return isMoment(value) ? format.dateTime(new Date(value), 'moment') : value;
  };
}
