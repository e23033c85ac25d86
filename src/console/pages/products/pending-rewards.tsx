import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Menu, Stack, Title } from '@mantine/core';
import { Hourglass, PackageCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { type PendingReward, RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { ReasonDialog } from '../../form/reason-dialog.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { MenuAction } from '../../table/menu-action.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The pending rewards of a product in the order of the queue, with the start of the wait, the needed and the missing units. */
export function PendingRewards({ productId }: { readonly productId: string }) {
  const t = useTranslations('products');
  const may = useAllowed();
  const format = useFormatter();
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{t('pending')}</Title>
      <DataTable
        id="pending-rewards"
        secondary
        label={t('pending')}
        method={RewardAdminService.method.listPendingRewards}
        input={{ productId }}
        rowKey={({ id }) => id}
        columns={[
          { key: 'account', render: ({ accountId }) => <NameLink kind="account" id={accountId} /> },
          { key: 'reward', render: ({ rewardId }) => <NameLink kind="reward" id={rewardId} /> },
          {
            key: 'unitsNeeded',
            title: t('unitsNeeded'),
            align: 'right',
            render: ({ unitsNeeded }) => format.number(unitsNeeded),
          },
          {
            key: 'shortfall',
            title: t('shortfall'),
            align: 'right',
            render: ({ shortfall }) => format.number(shortfall),
          },
          {
            key: 'createdAt',
            title: t('waitsSince'),
            wideOnly: true,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          },
        ]}
        rowActions={may(Permission.SUPPORT_ACCOUNTS) ? (reward) => <PendingActions reward={reward} /> : undefined}
        empty={<EmptyState icon={Hourglass} title={t('nobodyWaits')} hint={t('nobodyWaitsHint')} />}
      />
    </Stack>
  );
}

/** Delivers or cancels a pending reward; delivery is offered if no unit is missing. */
export function PendingActions({ reward: { id, shortfall } }: { readonly reward: PendingReward }) {
  const t = useTranslations('products');
  const [dialog, setDialog] = useState<'deliver' | 'cancel'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <RowMenu label={t('pendingMenu')}>
        <MenuAction
          icon={<PackageCheck size={15} />}
          unavailable={shortfall > 0 ? t('unitsMissing', { count: shortfall }) : undefined}
          onClick={() => setDialog('deliver')}
        >
          {t('deliver')}
        </MenuAction>
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => setDialog('cancel')}>
          {t('cancelPending')}
        </Menu.Item>
      </RowMenu>
      {dialog === 'deliver' && (
        <ReasonDialog
          method={RewardAdminService.method.deliverPendingReward}
          input={{ id }}
          title={t('deliverTitle')}
          hint={t('deliverHint', { count: shortfall })}
          submit={t('deliver')}
          done={t('pendingDelivered')}
          onClose={close}
        />
      )}
      {dialog === 'cancel' && (
        <ReasonDialog
          method={RewardAdminService.method.cancelPendingReward}
          input={{ id }}
          title={t('cancelPendingTitle')}
          hint={t('cancelPendingHint')}
          submit={t('cancelPending')}
          done={t('pendingCancelled')}
          destructive
          onClose={close}
        />
      )}
    </>
  );
}
