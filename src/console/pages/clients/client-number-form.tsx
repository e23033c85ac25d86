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

/** Sets a number of the client that is worked for, in a dialog. */
export function ClientNumberForm(props: {
  readonly client: Client;
  readonly field: 'outlierThreshold' | 'backfillDaysMax';
  /** The number that is proposed while the client has 0. */
  readonly proposed: number;
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly saved: string;
  readonly onClose: () => void;
}) {
  const form$ = useTranslations('form');
  const keeper = useSessionKeeper();
  const { field, onClose } = props;
  // Saving compares with the version read when the dialog opened.
  const [{ id, version, name, timeZone, [field]: stored }] = useState(props.client);
  // An emptied field has a text.
  const initialValues: Record<string, number | string> = { [field]: stored || props.proposed };
  const form = useApiForm({
    method: ClientAdminService.method.updateClient,
    initialValues,
    request: (values) => ({ id, version, name, timeZone, [field]: Number(values[field]) }),
    async onDone() {
      notifyDone(props.saved);
      onClose();
      await keeper.reload();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={props.title}>
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <NumberInput
          label={props.label}
          description={props.hint}
          allowDecimal={false}
          allowNegative={false}
          data-autofocus
          {...form.form.getInputProps(field)}
        />
      </ApiForm>
    </FormDialog>
  );
}
