import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Modal, Stack, Table, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AuditEntry } from '../../../../gen/laurel/admin/v1/audit_entry_pb.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { Facts } from '../../shell/facts.tsx';
import { type Difference, differencesOf, type Leaf } from './differences.ts';
import { useAuditWords } from './in-words.ts';

/** What one change changed: each field with its value before and after. */
export function AuditChanges({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const t = useTranslations('audit');
  const form = useTranslations('form');
  const format = useFormatter();
  const words = useStoredWords();
  const { operationInWords, kindInWords } = useAuditWords();
  const { operation, resourceType, resourceId, createdAt, actorName, note, before, after } = entry;
  const differences = differencesOf(before, after);
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': form('close') }}
      title={operationInWords(operation)}
      size="xl"
    >
      <Stack gap="lg">
        <Facts
          facts={[
            [t('who'), actorName],
            [t('when'), createdAt && format.dateTime(timestampDate(createdAt), 'second')],
            [t('resource'), `${kindInWords(resourceType)} ${resourceId ?? ''}`],
            ...(note === undefined ? [] : [[t('note'), words(note)] as const]),
          ]}
        />
        <Text size="sm" c="dimmed">
          {summary()}
        </Text>
        {differences.length > 0 && (
          <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <DifferenceTable
              differences={differences}
              hasBefore={before !== undefined}
              hasAfter={after !== undefined}
            />
          </Table.ScrollContainer>
        )}
      </Stack>
    </Modal>
  );

  function summary(): string | undefined {
    if (before === undefined && after === undefined) return t('nothing');
    if (before === undefined) return t('created');
    if (after === undefined) return t('removed');
    return differences.length === 0 ? t('same') : undefined;
  }
}

function DifferenceTable(props: {
  readonly differences: readonly Difference[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
}) {
  const t = useTranslations('audit');
  const { fieldInWords } = useAuditWords();
  const both = props.hasBefore && props.hasAfter;
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="34%">{t('field')}</Table.Th>
          {props.hasBefore && <Table.Th>{both ? t('before') : t('value')}</Table.Th>}
          {props.hasAfter && <Table.Th>{both ? t('after') : t('value')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.differences.map(({ path, before, after }) => (
          <Table.Tr key={path.join('.')}>
            <Table.Th scope="row" fw={500}>
              {path.map(fieldInWords).join(' › ')}
            </Table.Th>
            {props.hasBefore && (
              <Table.Td c={both ? 'dimmed' : undefined}>
                <Value value={before} />
              </Table.Td>
            )}
            {props.hasAfter && (
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
