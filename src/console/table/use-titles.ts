import { useTranslations } from 'use-intl';
import type { Column, FieldName, TableFilter } from './column.ts';

/** How columns and filters are headed: by words of their own, or as their field is called everywhere. */
export function useTitles() {
  const t = useTranslations('fields');
  return {
    titleOf: <Row>({ key, title }: Column<Row>): string => title ?? t(key as FieldName),
    labelOf: ({ field, label }: TableFilter): string => label ?? t(field as FieldName),
  };
}
