import { useInfiniteQuery } from '@connectrpc/connect-query';
import { Chip, Group, Stack } from '@mantine/core';
import { History } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { TimelineAdminService } from '../../../../gen/laurel/admin/v1/timeline_admin_service_pb.ts';
import { TimelineEntry_Kind as Kind } from '../../../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import type { EnumName } from '../../api/enum-name.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { AccountClock } from './account-clock.tsx';
import { DayList } from './day-list.tsx';
import { EntryLine } from './entry-line.tsx';
import { grouped, type GroupedEntry } from './grouped.ts';
import { dayListQueryOf, pagesByCursor } from './infinite.ts';

/** In the order of the contract. */
const kindNames = Object.keys(Kind).filter(
  (name): name is EnumName<typeof Kind> => Number.isNaN(Number(name)) && name !== 'KIND_UNSPECIFIED',
);

/** The timeline of an account as sentences, the latest first; it is refreshed while it is visible. */
export function HappenedTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('timeline');
  const [params, setParams] = useSearchParams();
  const chosen = kindNames.filter((name) => params.get('kinds')?.split('.').includes(name));
  const query = useInfiniteQuery(
    TimelineAdminService.method.listAccountTimeline,
    { accountId, kinds: chosen.map((name) => Kind[name]), cursor: '' },
    pagesByCursor,
  );

  const listed = dayListQueryOf(query, ({ rows }) => rows);

  function choose(names: readonly string[]): void {
    const next = new URLSearchParams(params);
    if (names.length === 0) next.delete('kinds');
    else next.set('kinds', names.join('.'));
    setParams(next, { replace: true });
  }

  return (
    <Stack gap="md">
      <Chip.Group multiple value={chosen} onChange={choose}>
        <Group gap="xs" role="group" aria-label={t('only')}>
          {kindNames.map((name) => (
            <Chip key={name} value={name} size="sm" variant="outline">
              {t(`kinds.${name}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <AccountClock accountId={accountId}>
        <DayList<GroupedEntry>
          query={{ ...listed, rows: listed.rows && grouped(listed.rows) }}
          momentOf={({ entry: { happenedAt, what } }) =>
            what.case === 'event' ? (what.value.occurredAt ?? happenedAt) : happenedAt
          }
          keyOf={({ entry: { kind, id } }) => `${kind} ${id}`}
          render={(group) => <EntryLine {...group} accountId={accountId} />}
          empty={
            <EmptyState
              icon={History}
              title={t(chosen.length > 0 ? 'noMatch' : 'empty')}
              hint={t(chosen.length > 0 ? 'noMatchHint' : 'emptyHint')}
            />
          }
        />
      </AccountClock>
    </Stack>
  );
}
