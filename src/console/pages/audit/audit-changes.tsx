import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Modal, Stack, Table, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AuditEntry } from '../../../../gen/laurel/admin/v1/audit_entry_pb.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { Facts } from '../../shell/facts.tsx';
import { DifferenceTable } from '../../differences/difference-table.tsx';
import { differencesOf } from '../../differences/differences.ts';
import { useAuditWords } from '../../differences/in-words.ts';

/** The fields of one change, with their values before and after. */
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
              before={before && (after ? t('before') : t('value'))}
              after={after && (before ? t('after') : t('value'))}
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
