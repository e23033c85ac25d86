import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { LoyaltyAdminService } from '../../../../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { RewardAdminService } from '../../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Chest } from '../../../../../gen/laurel/v1/chest_pb.ts';
import type { FeedItem } from '../../../../../gen/laurel/v1/assignment_pb.ts';
import { type Redemption, Redemption_Source, Redemption_Status } from '../../../../../gen/laurel/v1/redemption_pb.ts';
import { type EarnedReward, EarnedReward_Status } from '../../../../../gen/laurel/v1/reward_pb.ts';
import { ReasonDialog } from '../../../form/reason-dialog.tsx';
import { Allowed, useAllowed } from '../../../session/allowed.tsx';
import { filterOf } from '../../../table/filter-of.ts';
import { PendingActions } from '../../products/pending-rewards.tsx';

/** A button beside a row, and the dialog that it opens. `label` names the row for screen readers. */
function RowButton<Input extends DescMessage, Output extends DescMessage>({
  label,
  verb,
  ...dialog
}: {
  readonly label: string;
  /** The text of the button; by default that of the dialog's button. */
  readonly verb?: string;
  readonly method: DescMethodUnary<Input, Output>;
  readonly input: MessageInitShape<Input>;
  readonly title: string;
  readonly hint: string;
  readonly submit: string;
  readonly done: string;
  readonly destructive?: boolean;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Allowed to={Permission.SUPPORT_ACCOUNTS}>
      <Button size="compact-sm" variant="default" aria-label={label} onClick={open}>
        {verb ?? dialog.submit}
      </Button>
      {isOpen && <ReasonDialog {...dialog} onClose={close} />}
    </Allowed>
  );
}

/** Opens a chest that is not opened yet. */
export function OpenChestButton({ chest: { id, accountId, name, openedAt } }: { readonly chest: Chest }) {
  const t = useTranslations('support');
  if (openedAt !== undefined) return null;
  return (
    <RowButton
      method={AccountAdminService.method.openChestForAccount}
      input={{ accountId, chestId: id }}
      label={t('openChestOf', { name })}
      title={t('openChestTitle', { name })}
      hint={t('openChestHint')}
      submit={t('openChest')}
      done={t('chestOpened')}
    />
  );
}

/** Claims the campaign of a feed item, if it waits for the claim. */
export function ClaimButton({ accountId, item }: { readonly accountId: string; readonly item: FeedItem }) {
  const t = useTranslations('support');
  const { campaignId, campaignName = '', claimable } = item;
  if (!claimable || campaignId === undefined) return null;
  return (
    <RowButton
      method={AccountAdminService.method.claimForAccount}
      input={{ accountId, campaignId }}
      label={t('claimOf', { name: campaignName })}
      title={t('claimTitle', { name: campaignName })}
      hint={t('claimHint')}
      submit={t('claim')}
      done={t('claimed')}
    />
  );
}

/** Takes a purchase back. A reward cannot be taken back, and a cancelled purchase is already. */
export function CancelRedemptionButton({ redemption }: { readonly redemption: Redemption }) {
  const t = useTranslations('support');
  const { id, source, status, product, pointsSpent, quantity } = redemption;
  const isBought = source === Redemption_Source.LOYALTY || source === Redemption_Source.MARKETPLACE;
  if (!isBought || status === Redemption_Status.CANCELLED) return null;
  const name = product?.name ?? '';
  return (
    <RowButton
      method={LoyaltyAdminService.method.cancelRedemption}
      input={{ id }}
      label={t('cancelRedemptionOf', { name })}
      title={t('cancelRedemptionTitle', { name })}
      hint={t('cancelRedemptionHint', { points: pointsSpent, count: quantity })}
      verb={t('cancelVerb')}
      submit={t('cancelRedemption')}
      done={t('redemptionCancelled', { points: pointsSpent })}
      destructive
    />
  );
}

/** Delivers or cancels a reward that waits for stock; to deliver is offered while there are units for it. */
export function WaitingRewardActions({ reward }: { readonly reward: EarnedReward }) {
  const { id, productId = '', status } = reward;
  const may = useAllowed();
  const waits = may(Permission.SUPPORT_ACCOUNTS) && status === EarnedReward_Status.PENDING_STOCK && productId !== '';
  const input = { productId, page: 1, limit: 1, filters: filterOf({ id: [id] }) };
  const { data } = useQuery(RewardAdminService.method.listPendingRewards, input, { enabled: waits });
  const pending = data?.rows[0];
  return waits && pending ? <PendingActions reward={pending} /> : null;
}
