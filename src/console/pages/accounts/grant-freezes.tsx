import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { count: number | ''; reason: string };

/** Gives streak freezes to an account, with a reason. @param props.room the freezes that it may still get */
export function GrantFreezes(props: {
  readonly accountId: string;
  readonly room: number;
  readonly onClose: () => void;
}) {
  const t = useTranslations('accounts.freezes');
  // One for this dialog: a second press, or a try after a lost answer, gives them once.
  const [operationId] = useState(newOperationId);
  const { accountId } = props;
  const form = useApiForm({
    method: AccountAdminService.method.grantStreakFreezes,
    initialValues: { count: 1, reason: '' },
    request: ({ count, reason }: Values) => ({ accountId, count: count === '' ? 0 : count, reason, operationId }),
    onDone({ entry }) {
      notifyDone(t('granted', { count: entry?.amount ?? 0 }));
      props.onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('grantTitle')}>
      <ApiForm form={form} submit={t('grant')} onCancel={props.onClose}>
        <NumberInput
          label={t('count')}
          description={t('room', { room: props.room })}
          withAsterisk
          allowDecimal={false}
          allowNegative={false}
          data-autofocus
          {...getInputProps('count')}
        />
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}
