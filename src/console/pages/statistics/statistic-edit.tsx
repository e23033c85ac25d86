import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { StatisticDefinitionAdminService } from '../../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { StatisticDefinition } from '../../../../gen/laurel/v1/statistic_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { name: string; description: string };

/** Changes the texts of a statistic; the rest never changes. */
export function StatisticEdit(props: { readonly definition: StatisticDefinition; readonly onClose: () => void }) {
  const t = useTranslations('statistics');
  const form$ = useTranslations('form');
  // Saving compares with the version read when the dialog opened, because the table behind it is refreshed meanwhile.
  const [definition] = useState(props.definition);
  const { id, version, code, name, description, source, programmaticCode, aggregation, period, condition } = definition;
  const fixed = { code, source, programmaticCode: programmaticCode ?? '', aggregation, period, condition };
  const form = useApiForm({
    method: StatisticDefinitionAdminService.method.updateStatisticDefinition,
    initialValues: { name, description },
    within: 'statisticDefinition',
    request: (values: Values) => ({ id, version, statisticDefinition: { ...fixed, ...values } }),
    onDone() {
      notifyDone(t('saved', { code }));
      props.onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('edit', { code })}>
      <ApiForm form={form} submit={form$('save')} onCancel={props.onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <Textarea
          label={t('note')}
          description={t('fixedHint')}
          autosize
          minRows={2}
          {...getInputProps('description')}
        />
      </ApiForm>
    </FormDialog>
  );
}
