import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Publication } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { version: number; name: string; description: string; pointsCost: number | '' };

/** Changes the texts and the price of a publication, against the version at the opening of the dialog. */
export function PublicationEdit({ publication, onClose }: { publication: Publication; onClose: () => void }) {
  const t = useTranslations('marketplace');
  const form$ = useTranslations('form');
  const { id, version = 1, name, description, pointsCost } = publication;
  const initialValues: Values = { version, name, description, pointsCost: pointsCost ?? '' };
  const form = useApiForm({
    method: PublicationAdminService.method.updatePublication,
    initialValues,
    within: 'publication',
    // All are written: a price that is left empty ends it.
    request: (values) => ({
      id,
      publication: { ...values, pointsCost: values.pointsCost === '' ? undefined : values.pointsCost },
      updateMask: { paths: ['name', 'description', 'points_cost', 'version'] },
    }),
    onDone(_answer, values) {
      notifyDone(t('saved', { name: values.name }));
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('edit', { name })} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
        <NumberInput
          label={t('pointsCost')}
          description={t('priceHint')}
          placeholder={t('free')}
          decimalScale={4}
          {...getInputProps('pointsCost')}
        />
      </ApiForm>
    </FormDialog>
  );
}
