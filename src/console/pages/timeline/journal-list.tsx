import { callUnaryMethod, useInfiniteQuery, useTransport } from '@connectrpc/connect-query';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Button, Card } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download, ScrollText } from 'lucide-react';
import { useTranslations } from 'use-intl';
import {
  JournalAdminService,
  type ListJournalEntriesRequestSchema,
} from '../../../../gen/laurel/admin/v1/journal_admin_service_pb.ts';
import {
  type JournalEntry,
  JournalEntry_Effect as Effect,
  JournalEntrySchema,
} from '../../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { saveFile } from '../../api/download.ts';
import type { EnumName } from '../../api/enum-name.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyPart } from '../../feedback/notify.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { Page } from '../../shell/page.tsx';
import { allRows } from '../../table/all-rows.ts';
import { csvOfMessages } from '../../table/csv-of-messages.ts';
import { DayFields, useDays } from '../../table/day-range.tsx';
import { TableFilters } from '../../table/table-filters.tsx';
import { DayList } from './day-list.tsx';
import { EventLine } from './event-line.tsx';
import { dayListQueryOf, pagesByCursor } from './infinite.ts';
import { useAccountId, useAddressValues } from './list-filters.ts';

type Request = Omit<MessageInitShape<typeof ListJournalEntriesRequestSchema>, '$typeName' | '$unknown'>;

const FIELDS = ['code', 'account', 'operation', 'effect'] as const;

const effects = Object.keys(Effect).filter(
  (name): name is EnumName<typeof Effect> => Number.isNaN(Number(name)) && name !== 'EFFECT_UNSPECIFIED',
);

/** Among the effects, though an event that earned something has completed something as well. */
const REWARDED = 'REWARDED' as const;

/** The outcomes of a client's events, as sentences, the latest first. */
export function JournalList() {
  const t = useTranslations('journal');
  const [days, setDay, limits] = useDays();
  const [values, setValues] = useAddressValues(FIELDS);
  const account = useAccountId(values['account'] ?? '');
  const effect = effects.find((name) => name === values['effect']);
  const asked: Request = {
    ...limits,
    ...(account.id !== undefined && { accountId: account.id }),
    ...(values['code'] && { programmaticCode: values['code'] }),
    ...(values['operation'] && { operationId: values['operation'] }),
    ...(effect && { effect: Effect[effect] }),
    ...(values['effect'] === REWARDED && { rewarded: true }),
  };
  const query = useInfiniteQuery(
    JournalAdminService.method.listJournalEntries,
    { ...asked, cursor: '' },
    { ...pagesByCursor, enabled: account.isKnown },
  );
  const listed = dayListQueryOf(query, ({ rows }) => rows);
  const narrowed = Object.keys(values).length > 0 || days.from !== '' || days.until !== '';
  return (
    <Page title={t('title')} description={t('description')} actions={<DayFields days={days} onChange={setDay} />}>
      <Card p={0}>
        <TableFilters
          filters={[
            { field: 'code', label: t('code') },
            { field: 'account', label: t('account') },
            { field: 'operation', label: t('operation') },
            {
              field: 'effect',
              label: t('effect'),
              options: [...effects, REWARDED].map((value) => ({ value, label: t(`effects.${value}`) })),
            },
          ]}
          values={values}
          onChange={setValues}
          end={<JournalCsv asked={asked} disabled={!account.isKnown} />}
        />
      </Card>
      <DayList<JournalEntry>
        query={account.isAbsent ? { ...listed, rows: [], hasMore: false } : listed}
        momentOf={({ occurredAt, recordedAt }) => occurredAt ?? recordedAt}
        keyOf={({ id }) => id}
        render={(event) => (
          <EventLine event={event} about={event.accountId && <NameLink kind="account" id={event.accountId} />} />
        )}
        empty={
          <EmptyState
            icon={ScrollText}
            title={t(account.isAbsent ? 'noAccount' : narrowed ? 'noMatch' : 'empty')}
            hint={t(narrowed ? 'noMatchHint' : 'emptyHint')}
          />
        }
      />
    </Page>
  );
}

/** Rows of one answer. */
const PAGE = 1_000;

/** Saves the filtered rows as a CSV file; reports if there are more than a file holds. */
function JournalCsv({ asked, disabled }: { readonly asked: Request; readonly disabled: boolean }) {
  const t = useTranslations('table');
  const transport = useTransport();
  const fetching = useMutation({
    async mutationFn() {
      const { rows, isWhole } = await allRows<JournalEntry, string>(async (cursor) => {
        const request = { ...asked, limit: PAGE, ...(cursor !== undefined && { cursor }) };
        const answer = await callUnaryMethod(transport, JournalAdminService.method.listJournalEntries, request);
        return { rows: answer.rows, next: answer.nextCursor };
      });
      saveFile(new Blob([csvOfMessages(JournalEntrySchema, rows)], { type: 'text/csv;charset=utf-8' }), 'journal.csv');
      if (!isWhole) notifyPart(t('savedPart', { count: rows.length }));
    },
  });
  return (
    <Button
      variant="default"
      ml="auto"
      leftSection={<Download size={16} aria-hidden />}
      loading={fetching.isPending}
      disabled={disabled}
      onClick={() => fetching.mutate()}
    >
      {t('csv')}
    </Button>
  );
}
