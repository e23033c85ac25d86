import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Client } from '../../../../gen/laurel/admin/v1/client_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useSessionKeeper } from '../../session/session-context.tsx';

/** The threshold that the dialog proposes: rare in ordinary traffic. */
const PROPOSED = 10;

/** Sets how far above the usual an account must be to need attention, in a dialog. */
export function OutlierForm(props: { readonly client: Client; readonly onClose: () => void }) {
  const t = useTranslations('alerts.outliers');
  const form$ = useTranslations('form');
  const keeper = useSessionKeeper();
  const { onClose } = props;
  // Saving compares with the version read when the dialog opened.
  const [{ id, version, name, timeZone, outlierThreshold }] = useState(props.client);
  // An emptied field has a text.
  const initialValues: { outlierThreshold: number | string } = { outlierThreshold: outlierThreshold || PROPOSED };
  const form = useApiForm({
    method: ClientAdminService.method.updateClient,
    initialValues,
    request: (values) => ({ id, version, name, timeZone, outlierThreshold: Number(values.outlierThreshold) }),
    async onDone() {
      notifyDone(t('saved'));
      onClose();
      await keeper.reload();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t('title')}>
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <NumberInput
          label={t('threshold')}
          description={t('thresholdHint')}
          allowDecimal={false}
          allowNegative={false}
          data-autofocus
          {...form.form.getInputProps('outlierThreshold')}
        />
      </ApiForm>
    </FormDialog>
  );
}
