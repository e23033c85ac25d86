import { NumberInput, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { LoyaltyAdminService } from '../../../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { amount: number | ''; reason: string; expiresInDays: number | ''; earned: boolean };

const initialValues: Values = { amount: '', reason: '', expiresInDays: '', earned: false };

/** Corrects an account's points, with the reason that stays in its ledger. */
export function AdjustPoints({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const t = useTranslations('accounts');
  // One for this dialog: a second press, or a try after a lost answer, does not adjust twice.
  const [operationId] = useState(newOperationId);
  const form = useApiForm({
    method: LoyaltyAdminService.method.adjustPoints,
    initialValues,
    request: ({ amount, reason, expiresInDays, earned }) => ({
      accountId,
      amount: amount === '' ? 0 : amount,
      reason,
      expiresInDays: expiresInDays === '' ? undefined : expiresInDays,
      earned: earned && amount !== '' && amount > 0 ? true : undefined,
      operationId,
    }),
    onDone(_answer, { amount }) {
      notifyDone(t('adjusted', { amount: amount === '' ? 0 : amount }));
      onClose();
    },
  });
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('adjust')}>
      <ApiForm form={form} submit={t('adjust')} onCancel={onClose}>
        <NumberInput
          label={t('points')}
          description={t('pointsHint')}
          withAsterisk
          decimalScale={4}
          data-autofocus
          {...getInputProps('amount')}
        />
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          withAsterisk
          autosize
          {...getInputProps('reason')}
        />
        {values.amount !== '' && values.amount > 0 && (
          <>
            <NumberInput
              label={t('expiresInDays')}
              description={t('expiresInDaysHint')}
              allowDecimal={false}
              {...getInputProps('expiresInDays')}
            />
            <Switch
              label={t('earned')}
              description={t('earnedHint')}
              {...getInputProps('earned', { type: 'checkbox' })}
            />
          </>
        )}
      </ApiForm>
    </FormDialog>
  );
}
