import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { PackageOpen, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { ChestAdminService } from '../../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useArchivable } from '../../names/use-archivable.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { chancesOf, valuesOf } from './chest-values.ts';
import { RewardPages } from './reward-pages.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The chests that rewards may bring, by name. */
export function ChestList() {
  const t = useTranslations('rewards');
  const format = useFormatter();
  const archivable = useArchivable();
  const button = (
    <Allowed to={Permission.KEEP_REWARDS}>
      <Button component={Link} to="/rewards/chests/new" leftSection={<Plus size={16} aria-hidden />}>
        {t('createChest')}
      </Button>
    </Allowed>
  );
  const percent = (chance: number) => format.number(chance, { style: 'percent', maximumFractionDigits: 2 });
  return (
    <Page title={t('title')} tabTitle={t('chests')} description={t('chestsDescription')} actions={button}>
      <RewardPages />
      <DataTable
        id="chests"
        label={t('chests')}
        method={ChestAdminService.method.listChestDefinitions}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/rewards/chests/${id}`}
        filters={[archivable.filter]}
        columns={[
          { key: 'name', render: archivable.renderName },
          {
            key: 'contents',
            title: t('contents'),
            render: ({ entries }) => {
              const guaranteed = entries.filter((entry) => entry.guaranteed).length;
              return t('contentsCount', { guaranteed, drawn: entries.length - guaranteed });
            },
          },
          {
            key: 'nothing',
            title: t('nothing'),
            align: 'right',
            render: (chest) => percent(chancesOf(valuesOf(chest)).nothing),
          },
          {
            key: 'updatedAt',
            wideOnly: true,
            render: ({ updatedAt }) => updatedAt && format.dateTime(timestampDate(updatedAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={PackageOpen} title={t('noChests')} hint={t('noChestsHint')} action={button} />}
      />
    </Page>
  );
}
