import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { EarnedReward_Status } from '../../../../gen/laurel/v1/reward_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { rewards } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';

/** Gives the account a reward, of no campaign. */
export function GrantReward({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const t = useTranslations('support');
  const [operationId] = useState(newOperationId);
  const form = useApiForm({
    method: AccountAdminService.method.grantReward,
    initialValues: { rewardId: '', reason: '' },
    request: (values) => ({ accountId, ...values, operationId }),
    onDone({ reward }) {
      notifyDone(t(reward?.status === EarnedReward_Status.PENDING_STOCK ? 'grant.waits' : 'grant.done'));
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('grant.name')}>
      <ApiForm form={form} submit={t('grant.name')} onCancel={onClose}>
        <Text size="sm">{t('grant.hint')}</Text>
        <ReferenceSelect of={rewards} label={t('reward')} required {...getInputProps('rewardId')} />
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}
