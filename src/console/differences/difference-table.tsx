import { Table } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Difference, Leaf } from './differences.ts';
import { useAuditWords } from './in-words.ts';

/** Fields with their values in one or two states of one thing. */
export function DifferenceTable(props: {
  readonly differences: readonly Difference[];
  /** The heading of the earlier state; undefined without one. */
  readonly before: string | undefined;
  /** The heading of the later state; undefined without one. */
  readonly after: string | undefined;
}) {
  const t = useTranslations('audit');
  const { fieldInWords } = useAuditWords();
  const both = props.before !== undefined && props.after !== undefined;
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="34%">{t('field')}</Table.Th>
          {props.before !== undefined && <Table.Th>{props.before}</Table.Th>}
          {props.after !== undefined && <Table.Th>{props.after}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.differences.map(({ path, before, after }) => (
          <Table.Tr key={path.join('.')}>
            <Table.Th scope="row" fw={500}>
              {path.map(fieldInWords).join(' › ')}
            </Table.Th>
            {props.before !== undefined && (
              <Table.Td c={both ? 'dimmed' : undefined}>
                <Value value={before} />
              </Table.Td>
            )}
            {props.after !== undefined && (
              <Table.Td fw={both ? 600 : undefined}>
                <Value value={after} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** A moment as the API writes it. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function Value({ value }: { readonly value: Leaf | undefined }) {
  const t = useTranslations('audit');
  const format = useFormatter();
  const { valueInWords } = useAuditWords();
  if (value === undefined || value === null || value === '' || typeof value === 'object') return '–';
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return format.number(value, 'amount');
  if (MOMENT.test(value)) return format.dateTime(new Date(value), 'second');
  return <span style={{ overflowWrap: 'anywhere' }}>{valueInWords(value)}</span>;
}
