import { useTranslations } from 'use-intl';
import type { Column, FieldName, TableFilter } from './column.ts';

/** How columns and filters are headed: by their own titles, or by the common label of their field. */
export function useTitles() {
  const t = useTranslations('fields');
  return {
    titleOf: <Row>({ key, title }: Column<Row>): string => title ?? t(key as FieldName),
    labelOf: ({ field, label }: TableFilter): string => label ?? t(field as FieldName),
  };
}
