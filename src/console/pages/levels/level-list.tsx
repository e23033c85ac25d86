import { Code, Text } from '@mantine/core';
import { Layers } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { LevelTrackAdminService } from '../../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { LevelTrack_Downgrade } from '../../../../gen/laurel/v1/level_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { useAllowed } from '../../session/allowed.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { LevelActions } from './level-actions.tsx';
import { LevelForm } from './level-form.tsx';
import { downgrades } from './level-values.ts';

/** The level tracks of the client. */
export function LevelList() {
  const t = useTranslations('levels');
  const may = useAllowed();
  const format = useFormatter();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_CAMPAIGNS}
      form={LevelForm}
      empty={{ icon: Layers, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="levels"
          label={t('title')}
          method={LevelTrackAdminService.method.listLevelTracks}
          rowKey={({ id }) => id}
          filters={[
            {
              field: 'downgrade',
              label: t('downgrade'),
              options: downgrades.map((value) => ({ value, label: t(`downgrades.${value}`) })),
            },
          ]}
          columns={[
            { key: 'name', render: ({ name }) => name },
            { key: 'code', render: ({ code }) => <Code>{code}</Code> },
            {
              key: 'statisticCode',
              title: t('statistic'),
              render: ({ statisticCode }) => <Code>{statisticCode}</Code>,
            },
            {
              key: 'levels',
              title: t('levels'),
              wideOnly: true,
              render: ({ levels }) => (
                <Text size="sm" lineClamp={2}>
                  {format.list(
                    levels.map(({ code, name = code, threshold }) => {
                      return `${name} (${format.number(threshold, 'amount')})`;
                    }),
                    { type: 'unit' },
                  )}
                </Text>
              ),
            },
            {
              key: 'downgrade',
              title: t('downgrade'),
              render: ({ downgrade }) => t(`downgrades.${enumName(LevelTrack_Downgrade, downgrade)}`),
            },
          ]}
          rowActions={may(Permission.KEEP_CAMPAIGNS) ? (track) => <LevelActions track={track} /> : undefined}
          empty={empty}
        />
      )}
    />
  );
}
