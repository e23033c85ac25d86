import { useInfiniteQuery } from '@connectrpc/connect-query';
import { Card, Skeleton } from '@mantine/core';
import { Ban } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { CallCount, RefusedCall } from '../../../../gen/laurel/admin/v1/refused_call_pb.ts';
import { RefusedCallAdminService } from '../../../../gen/laurel/admin/v1/refused_call_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DayFields, useDays } from '../../table/day-range.tsx';
import { TableFilters } from '../../table/table-filters.tsx';
import { DayList } from '../timeline/day-list.tsx';
import { dayListQueryOf, pagesByCursor } from '../timeline/infinite.ts';
import { useAccountId, useAddressValues } from '../timeline/list-filters.ts';
import { CallCounts, useCallCounts } from './call-counts.tsx';
import { RefusedCallLine } from './refused-call-line.tsx';

const FIELDS = ['operation', 'code', 'account', 'key'] as const;

/** Calls that were refused, the latest first, below their counts. */
export function RefusedCallList() {
  const t = useTranslations('refusedCalls');
  const [days, setDay, limits] = useDays();
  const [values, setValues] = useAddressValues(FIELDS);
  const counts = useCallCounts(limits);
  const account = useAccountId(values['account'] ?? '');
  const query = useInfiniteQuery(
    RefusedCallAdminService.method.listRefusedCalls,
    {
      ...limits,
      ...(account.id !== undefined && { accountId: account.id }),
      ...(values['operation'] && { operation: values['operation'] }),
      ...(values['code'] && { code: values['code'] }),
      ...(values['key'] && { credentialId: values['key'] }),
      cursor: '',
    },
    { ...pagesByCursor, enabled: account.isKnown },
  );
  const listed = dayListQueryOf(query, ({ rows }) => rows);
  const narrowed = Object.keys(values).length > 0 || days.from !== '' || days.until !== '';
  return (
    <Page title={t('title')} description={t('description')} actions={<DayFields days={days} onChange={setDay} />}>
      {/* All at once, so that nothing moves when the counts arrive. */}
      {counts === undefined ? (
        <Skeleton h={320} />
      ) : (
        <>
          <CallCounts counts={counts} onChoose={(chosen) => setValues({ ...values, ...chosen })} />
          <Card p={0}>
            <TableFilters
              filters={[
                { field: 'operation', label: t('operation') },
                { field: 'code', label: t('code') },
                { field: 'account', label: t('account') },
                { field: 'key', label: t('key'), options: keysOf(counts, values['key'], t('otherKey')) },
              ]}
              values={values}
              onChange={setValues}
            />
          </Card>
          <DayList<RefusedCall>
            query={account.isAbsent ? { ...listed, rows: [], hasMore: false } : listed}
            momentOf={({ refusedAt }) => refusedAt}
            keyOf={({ id }) => id}
            render={(call) => <RefusedCallLine call={call} />}
            empty={
              <EmptyState
                icon={Ban}
                title={t(account.isAbsent ? 'noAccount' : narrowed ? 'noMatch' : 'empty')}
                hint={t(narrowed ? 'noMatchHint' : 'emptyHint')}
              />
            }
          />
        </>
      )}
    </Page>
  );
}

/** The keys that called in the days that are shown, and the chosen one. */
function keysOf(counts: readonly CallCount[], chosen: string | undefined, otherKey: string) {
  const names = new Map(counts.map(({ credentialId, credentialName }) => [credentialId, credentialName ?? otherKey]));
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen);
  return [...names].map(([value, label]) => ({ value, label }));
}
