import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { History } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { AuditAdminService } from '../../../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import { type AuditEntry, AuditEntry_ActorType as Actor } from '../../../../gen/laurel/admin/v1/audit_entry_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useNoteWords } from '../../language/use-note-words.ts';
import { EMail } from '../../shell/e-mail.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { DayFields, useDays } from '../../table/day-range.tsx';
import { AuditChanges } from './audit-changes.tsx';
import { useAuditWords } from '../../differences/in-words.ts';

const KINDS = ['USER', 'CREDENTIAL', 'COMMAND_LINE', 'UNKNOWN'] as const;

/** The entries of the audit log, latest first. */
export function AuditList() {
  const t = useTranslations('audit');
  const format = useFormatter();
  const words = useNoteWords();
  const { operationInWords, operationOptions, kindOptions } = useAuditWords();
  const [days, setDay, limits] = useDays();
  const narrowed = days.from !== '' || days.until !== '';
  return (
    <Page title={t('title')} description={t('description')} actions={<DayFields days={days} onChange={setDay} />}>
      <DataTable
        id="audit"
        label={t('title')}
        method={AuditAdminService.method.listAuditEntries}
        input={limits}
        rowKey={({ id }) => id}
        filters={[
          { field: 'actorName', label: t('who') },
          {
            field: 'actorType',
            label: t('actorType'),
            options: KINDS.map((value) => ({ value, label: t(`actors.${value}`) })),
          },
          { field: 'operation', label: t('operation'), options: operationOptions },
          { field: 'resourceType', label: t('resourceType'), options: kindOptions },
        ]}
        columns={[
          {
            key: 'createdAt',
            title: t('when'),
            width: 180,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'second'),
          },
          { key: 'actorName', title: t('who'), render: (entry) => <Who entry={entry} /> },
          { key: 'operation', title: t('operation'), render: ({ operation }) => operationInWords(operation) },
          { key: 'resourceType', title: t('resource'), render: (entry) => <Resource entry={entry} /> },
          { key: 'note', title: t('note'), wideOnly: true, render: ({ note }) => note && words(note) },
        ]}
        rowActions={(entry) => <Changes entry={entry} />}
        empty={
          <EmptyState
            icon={History}
            title={narrowed ? t('noMatch') : t('empty')}
            hint={narrowed ? t('noMatchHint') : t('emptyHint')}
          />
        }
      />
    </Page>
  );
}

function Who({ entry: { actorName, actorType } }: { readonly entry: AuditEntry }) {
  const t = useTranslations('audit.actors');
  const kind = KINDS.find((each) => Actor[each] === actorType) ?? 'UNKNOWN';
  return (
    <div>
      <EMail>{actorName}</EMail>
      {kind !== 'USER' && (
        <Text size="xs" c="dimmed">
          {t(kind)}
        </Text>
      )}
    </div>
  );
}

/** The best name of the resource: its name now or then, otherwise its id. */
function Resource({ entry: { resourceType, resourceId, before, after } }: { readonly entry: AuditEntry }) {
  const { kindInWords } = useAuditWords();
  const name = [after?.['name'], before?.['name'], after?.['email'], before?.['email']].find(isText);
  return (
    <div>
      {name ?? kindInWords(resourceType)}
      <Text size="xs" c="dimmed" truncate maw={200} title={resourceId}>
        {name === undefined ? resourceId : kindInWords(resourceType)}
      </Text>
    </div>
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function Changes({ entry }: { readonly entry: AuditEntry }) {
  const t = useTranslations('audit');
  const { operationInWords } = useAuditWords();
  const [reading, { open, close }] = useDisclosure(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={open}
        aria-label={t('show', { operation: operationInWords(entry.operation) })}
      >
        {t('showShort')}
      </Anchor>
      {reading && <AuditChanges entry={entry} onClose={close} />}
    </>
  );
}
