import { Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { Audience } from '../../../../gen/laurel/v1/audience_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { RuleField } from './rule-field.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

/** Changes the texts of an audience, against the version at the opening of the dialog. */
export function AudienceEdit({ audience, onClose }: { readonly audience: Audience; readonly onClose: () => void }) {
  const t = useTranslations('audiences');
  const form$ = useTranslations('form');
  const { id, version, name, description, expression } = audience;
  const form = useApiForm({
    method: AudienceAdminService.method.updateAudience,
    initialValues: { id, version, name, description, expression: expression ?? '' },
    request: (values) => ({ ...values, expression: expression === undefined ? undefined : values.expression }),
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
        {expression !== undefined && <RuleField {...getInputProps('expression')} />}
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
      </ApiForm>
    </FormDialog>
  );
}
