import { NumberInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import type { Statistic } from '../../../../gen/laurel/v1/statistic_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { value: number | ''; reason: string };

/** Sets the value of a statistic in the shown period, with a reason for the audit log. */
export function CorrectStatistic(props: {
  readonly accountId: string;
  readonly statistic: Statistic;
  readonly onClose: () => void;
}) {
  const t = useTranslations('accounts');
  // The table behind the dialog may be refreshed, and then show another period.
  const [{ code, name, periodKey, value: shown }] = useState(props.statistic);
  // One for this dialog: a second press, or a try after a lost answer, does not set it twice.
  const [operationId] = useState(newOperationId);
  const form = useApiForm({
    method: AccountAdminService.method.correctStatistic,
    initialValues: { value: shown ?? '', reason: '' },
    request: ({ value, reason }: Values) => ({
      ...{ accountId: props.accountId, code, periodKey, reason, operationId },
      value: value === '' ? undefined : value,
    }),
    onDone(_answer, { value }) {
      notifyDone(t('statisticCorrected', { name, value: value === '' ? 0 : value }));
      props.onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('correctTitle', { name })}>
      <ApiForm form={form} submit={t('correctStatistic')} onCancel={props.onClose}>
        <NumberInput
          label={t('statisticValue')}
          description={t('correctHint')}
          withAsterisk
          decimalScale={4}
          data-autofocus
          {...getInputProps('value')}
        />
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          withAsterisk
          autosize
          {...getInputProps('reason')}
        />
      </ApiForm>
    </FormDialog>
  );
}
