import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { Badge, Progress, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { type Assignment, Assignment_Status, type Occurrences } from '../../../../../gen/laurel/v1/assignment_pb.ts';
import type { Column } from '../../../table/column.ts';
import { missionTypeName } from '../../campaigns/mission-types.ts';
import { enumName } from '../../../api/enum-name.ts';

/** The columns of the tables that list an account's assignments. */
export function useAssignmentColumns(): readonly Column<Assignment>[] {
  const t = useTranslations('accounts');
  const types = useTranslations('campaigns.types');
  const format = useFormatter();
  return [
    { key: 'name', title: t('mission'), render: ({ name }) => name, sort: ({ name }) => name },
    { key: 'type', render: ({ type }) => types(missionTypeName(type)), sort: ({ type }) => type },
    {
      key: 'progress',
      render: (assignment) => <ProgressCell {...assignment} />,
      sort: ({ progress, target }) => shareOf(progress, target),
    },
    { key: 'status', render: ({ status }) => <StatusBadge status={status} /> },
    { key: 'periodKey', title: t('period'), wideOnly: true, render: ({ periodKey }) => periodKey },
    {
      key: 'at',
      title: t('since'),
      render: ({ startedAt, completedAt }) => {
        const at = completedAt ?? startedAt;
        return at && format.dateTime(timestampDate(at), 'moment');
      },
      sort: ({ startedAt, completedAt }) => {
        const at = completedAt ?? startedAt;
        return at ? timestampMs(at) : 0;
      },
    },
  ];
}

/** The progress of an assignment; for a routine also its completed periods, for a mission that repeats its completed rounds. */
type Progressing = {
  readonly progress: number;
  readonly target: number;
  readonly occurrences?: Occurrences | undefined;
  readonly completions?: number | undefined;
};

/** The part of the target that is reached; of an endless streak all of it, as long as its run lasts. */
export function shareOf(progress: number, target: number): number {
  return target === 0 ? Math.min(progress, 1) : progress / target;
}

/** The progress as a bar and in numbers. */
export function ProgressCell({ progress, target, occurrences, completions }: Progressing) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  return (
    <div style={{ minWidth: 120 }}>
      <Text size="xs" className="laurel-number">
        {format.number(progress, 'amount')}
        {target > 0 && ` / ${format.number(target, 'amount')}`}
        {occurrences && (
          <Text span inherit c="dimmed">
            {' · '}
            {t('occurrences', { completed: occurrences.completed, target: occurrences.target })}
          </Text>
        )}
        {completions !== undefined && (
          <Text span inherit c="dimmed">
            {' · '}
            {t('completions', { count: completions })}
          </Text>
        )}
      </Text>
      <Progress value={100 * shareOf(progress, target)} size="sm" aria-label={t('progress')} />
    </div>
  );
}

const statusColours = { ACTIVE: 'laurel', COMPLETED: 'blue', EXPIRED: 'gray' } as const;

/** The status of an assignment. */
export function StatusBadge({ status }: { readonly status: Assignment_Status }) {
  const t = useTranslations('accounts.statuses');
  const name = enumName(Assignment_Status, status);
  return <Badge color={statusColours[name]}>{t(name)}</Badge>;
}
