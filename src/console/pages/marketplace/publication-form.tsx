import { NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { agreements, products } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = {
  productId: string;
  agreementId: string;
  name: string;
  description: string;
  stock: number | '';
  pointsCost: number | '';
};

/** Creates a publication as a draft, in a dialog, and leads to it: publishing comes next. */
export function PublicationForm({ agreementId = '', onClose }: { agreementId?: string; onClose: () => void }) {
  const t = useTranslations('marketplace');
  const navigate = useNavigate();
  const initialValues: Values = { productId: '', agreementId, name: '', description: '', stock: '', pointsCost: '' };
  const form = useApiForm({
    method: PublicationAdminService.method.createPublication,
    initialValues,
    request: (values) => ({
      ...values,
      agreementId: values.agreementId === '' ? undefined : values.agreementId,
      stock: Number(values.stock),
      pointsCost: values.pointsCost === '' ? undefined : values.pointsCost,
    }),
    async onDone({ publication }, { name }) {
      notifyDone(t('created', { name }));
      onClose();
      await navigate(`/marketplace/publications/${publication?.id ?? ''}`);
    },
  });
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('name')}
        />
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
        <ReferenceSelect
          of={products}
          label={t('product')}
          description={t('productHint')}
          placeholder={t('search')}
          required
          {...getInputProps('productId')}
          value={values.productId}
        />
        <ReferenceSelect
          of={agreements}
          label={t('agreement')}
          description={t('agreementHint')}
          placeholder={t('noAgreement')}
          clearable
          {...getInputProps('agreementId')}
          value={values.agreementId}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={t('stock')}
            description={t(values.agreementId === '' ? 'stockHint' : 'stockOfAgreementHint')}
            placeholder="0"
            allowDecimal={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...getInputProps('stock')}
          />
          <NumberInput
            label={t('pointsCost')}
            description={t('pointsCostHint')}
            placeholder={t('free')}
            decimalScale={4}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...getInputProps('pointsCost')}
          />
        </SimpleGrid>
      </ApiForm>
    </FormDialog>
  );
}
