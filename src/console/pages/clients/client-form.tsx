import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { usePreferences } from '../../language/preferences.ts';
import { clientContent, ClientFields, type ClientValues } from './client-fields.tsx';

/** Creates a client, in a dialog. */
export function ClientForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('clients');
  const { timeZone } = usePreferences();
  const initialValues: ClientValues = { name: '', timeZone, backfillDaysMax: 0 };
  const form = useApiForm({
    method: ClientAdminService.method.createClient,
    initialValues,
    request: clientContent,
    onDone(_answer, { name }) {
      notifyDone(t('created', { name }));
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <ClientFields form={form.form} />
      </ApiForm>
    </FormDialog>
  );
}
