import { NumberInput, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { AgreementAdminService } from '../../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { name: string; stock: number | '' };

const initialValues: Values = { name: '', stock: '' };

/** Creates an agreement, in a dialog, and leads to it. */
export function AgreementForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('marketplace');
  const navigate = useNavigate();
  const form = useApiForm({
    method: AgreementAdminService.method.createAgreement,
    initialValues,
    request: ({ name, stock }) => ({ name, stock: Number(stock) }),
    async onDone({ agreement }, { name }) {
      notifyDone(t('agreementCreated', { name }));
      onClose();
      await navigate(`/marketplace/agreements/${agreement?.id ?? ''}`);
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('createAgreement')}>
      <ApiForm form={form} submit={t('submitAgreement')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          description={t('agreementNameHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('name')}
        />
        <NumberInput label={t('agreementStock')} placeholder="0" allowDecimal={false} {...getInputProps('stock')} />
      </ApiForm>
    </FormDialog>
  );
}
