import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Code, Text } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { DeadTriggerAdminService } from '../../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useStoredWords } from '../../language/use-service-words.ts';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { DeadTriggerActions } from './dead-trigger-actions.tsx';
import { useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** Milliseconds between two looks: a replayed event may come back. */
const REFRESH_MS = 5_000;

/** The accepted events that could not be applied. */
export function DeadTriggerList() {
  const t = useTranslations('deadTriggers');
  const may = useAllowed();
  const format = useFormatter();
  const words = useStoredWords();
  return (
    <Page title={t('title')} description={t('description')}>
      <DataTable
        id="dead-triggers"
        label={t('title')}
        method={DeadTriggerAdminService.method.listDeadTriggers}
        refetchInterval={REFRESH_MS}
        rowKey={({ id }) => id}
        filters={[
          { field: 'programmaticCode', label: t('code') },
          { field: 'errorCode', label: t('errorCode') },
        ]}
        columns={[
          {
            key: 'programmaticCode',
            title: t('code'),
            render: ({ programmaticCode }) => <Code>{programmaticCode}</Code>,
          },
          { key: 'accountId', title: t('account'), render: ({ accountId }) => accountId },
          {
            key: 'errorCode',
            title: t('why'),
            render: ({ errorCode, errorMessage }) => (
              <div>
                <Code>{errorCode}</Code>
                <Text size="xs" c="dimmed" mt={2} lineClamp={2}>
                  {words(errorMessage)}
                </Text>
              </div>
            ),
          },
          {
            key: 'attempts',
            align: 'right',
            render: ({ attempts }) => format.number(attempts),
          },
          {
            key: 'deadAt',
            title: t('deadAt'),
            render: ({ deadAt }) => deadAt && format.dateTime(timestampDate(deadAt), 'moment'),
          },
        ]}
        rowActions={may(Permission.RESEND) ? (letter) => <DeadTriggerActions letter={letter} /> : undefined}
        empty={<EmptyState icon={CircleCheck} title={t('empty')} hint={t('emptyHint')} />}
      />
    </Page>
  );
}
