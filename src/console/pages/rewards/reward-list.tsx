import { Badge } from '@mantine/core';
import { Gift } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Reward } from '../../../../gen/laurel/v1/reward_pb.ts';
import { useArchivable } from '../../names/use-archivable.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { RewardActions } from './reward-actions.tsx';
import { RewardForm } from './reward-form.tsx';
import { RewardPages } from './reward-pages.tsx';
import { rewardTypeName, type RewardTypeName, rewardTypeNames, rewardTypes, subjectOf } from './reward-types.ts';
import { useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The rewards of the client, by name. */
export function RewardList() {
  const t = useTranslations('rewards');
  const may = useAllowed();
  const format = useFormatter();
  const archivable = useArchivable();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      pages={<RewardPages />}
      create={t('create')}
      needs={Permission.KEEP_REWARDS}
      form={RewardForm}
      empty={{ icon: Gift, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="rewards"
          label={t('title')}
          method={RewardAdminService.method.listRewards}
          rowKey={({ id }) => id}
          rowPath={({ id }) => `/rewards/${id}`}
          filters={[
            {
              field: 'type',
              options: rewardTypeNames.map((value) => ({ value, label: t(`types.${value}`) })),
            },
            archivable.filter,
          ]}
          columns={[
            { key: 'name', render: archivable.renderName },
            { key: 'type', render: ({ type }) => <RewardType type={rewardTypeName(type)} /> },
            { key: 'amount', align: 'right', render: ({ amount }) => format.number(amount, 'amount') },
            { key: 'of', title: t('of'), render: (reward) => <RewardSubject reward={reward} /> },
            {
              key: 'expiresInDays',
              title: t('expiry'),
              wideOnly: true,
              render: ({ expiresInDays: days }) => (days === undefined ? '–' : t('expiresIn', { days })),
            },
          ]}
          rowActions={may(Permission.KEEP_REWARDS) ? (reward) => <RewardActions reward={reward} inRow /> : undefined}
          empty={empty}
        />
      )}
    />
  );
}

function RewardType({ type }: { readonly type: RewardTypeName }) {
  const t = useTranslations('rewards.types');
  const { icon: Icon } = rewardTypes[type];
  return (
    <Badge color="gray" leftSection={<Icon size={13} aria-hidden />}>
      {t(type)}
    </Badge>
  );
}

function RewardSubject({ reward }: { readonly reward: Reward }) {
  const t = useTranslations('rewards');
  const subject = subjectOf(reward);
  if (reward.secret === true) return t('secret');
  return subject === undefined ? '–' : <NameLink kind={subject.kind} id={subject.id} />;
}
