import { useTranslations } from 'use-intl';
import type { Column, FieldName, TableFilter } from './column.ts';

/** The titles of columns and filters: their own, or the common label of their field. */
export function useTitles() {
  const t = useTranslations('fields');
  return {
    titleOf: <Row>({ key, title }: Column<Row>): string => title ?? t(key as FieldName),
    labelOf: ({ field, label }: TableFilter): string => label ?? t(field as FieldName),
  };
}
