import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Client } from '../../../../gen/laurel/admin/v1/client_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';
import { clientContent, ClientFields, type ClientValues } from './client-fields.tsx';

/** Changes name, time zone and the bound of past events of a client. */
export function ClientEdit({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const t = useTranslations('clients');
  const form$ = useTranslations('form');
  const session = useSession();
  const keeper = useSessionKeeper();
  // Saving compares with the version read when the dialog opened, because the table behind it is refreshed meanwhile.
  const [{ id, name, timeZone, backfillDaysMax, version }] = useState(client);
  const initialValues: ClientValues = { name, timeZone, backfillDaysMax };
  const form = useApiForm({
    method: ClientAdminService.method.updateClient,
    initialValues,
    request: (values) => ({ id, version, ...clientContent(values) }),
    async onDone(_answer, values) {
      notifyDone(t('saved', { name: values.name }));
      onClose();
      // The bar on top shows the name of the client that is worked for.
      if (id === session.client?.id) await keeper.reload();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t('edit', { name })} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <ClientFields form={form.form} />
      </ApiForm>
    </FormDialog>
  );
}
