import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Avatar, Group, Progress, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AccountLevel } from '../../../../../gen/laurel/v1/level_pb.ts';
import { LevelService } from '../../../../../gen/laurel/v1/level_service_pb.ts';
import { TabFrame } from './tab-frame.tsx';

/** The account's level in each track. */
export function LevelsTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  return (
    <TabFrame
      method={LevelService.method.listAccountLevels}
      input={{ accountId }}
      rowsOf={({ rows }) => rows}
      rowKey={({ trackId }) => trackId}
      label={t('tabs.levels')}
      emptyHint={t('levelsEmpty')}
      columns={[
        {
          key: 'track',
          title: t('levelTrack'),
          render: ({ trackName }) => trackName,
          sort: ({ trackName }) => trackName,
        },
        { key: 'level', title: t('level'), render: (row) => <Reached row={row} /> },
        { key: 'next', title: t('nextLevel'), render: (row) => <Next row={row} /> },
        {
          key: 'countedValue',
          title: t('countedValue'),
          align: 'right',
          render: ({ countedValue }) => (countedValue === undefined ? '–' : format.number(countedValue, 'amount')),
        },
        { key: 'reviewAt', title: t('levelReview'), render: (row) => <Review row={row} /> },
      ]}
    />
  );
}

type Props = { readonly row: AccountLevel };

function Reached({ row: { level, since } }: Props) {
  const t = useTranslations('accounts');
  if (level === undefined) return <Text c="dimmed">{t('noLevel')}</Text>;
  return (
    <Group gap="xs" wrap="nowrap">
      {level.imageUrl !== undefined && <Avatar src={level.imageUrl} size="sm" radius="sm" alt="" />}
      <div>
        <Text size="sm" fw={550}>
          {level.name}
        </Text>
        {since === undefined && (
          <Text size="xs" c="dimmed">
            {t('levelNotAnnounced')}
          </Text>
        )}
      </div>
    </Group>
  );
}

function Next({ row: { next } }: Props) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  if (next?.level === undefined) return <Text c="dimmed">–</Text>;
  const { level, missing, progress } = next;
  return (
    <div>
      <Text size="sm">{t('missingTo', { name: level.name, missing: format.number(missing, 'amount') })}</Text>
      <Progress value={progress * 100} size="sm" mt={4} aria-label={level.name} />
    </div>
  );
}

function Review({ row: { level, levelAfterReview, reviewAt } }: Props) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  if (reviewAt === undefined) return '–';
  const isAtRisk = level !== undefined && (levelAfterReview?.number ?? 0) < level.number;
  return (
    <div>
      <Text size="sm">{format.dateTime(timestampDate(reviewAt), 'day')}</Text>
      {isAtRisk && (
        <Text size="xs" c="dimmed">
          {t('thenLevel', { name: levelAfterReview?.name ?? t('noLevel') })}
        </Text>
      )}
    </div>
  );
}
