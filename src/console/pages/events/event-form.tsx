import { Input, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinition_Type } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import { type AttributeEntry, sentAttributes, useAttributeCheck } from '../../attributes/attribute-entries.ts';
import { AttributeFields } from '../../attributes/attribute-fields.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = {
  programmaticCode: string;
  type: 'SINGLE' | 'AMOUNT';
  name: string;
  description: string;
  attributes: AttributeEntry[];
};

const initialValues: Values = { programmaticCode: '', type: 'SINGLE', name: '', description: '', attributes: [] };

/** Creates an event definition, in a dialog. */
export function EventForm({
  onClose,
  name: suggested = '',
  onMade,
}: {
  readonly onClose: () => void;
  /** The rule of its name. */
  readonly name?: string;
  /** Called with its code, if it is created for a field. */
  readonly onMade?: (value: string) => void;
}) {
  const t = useTranslations('events');
  const checkAttributes = useAttributeCheck();
  const form = useApiForm({
    method: EventDefinitionAdminService.method.createEventDefinition,
    initialValues: { ...initialValues, programmaticCode: suggested },
    request: ({ type, name, attributes, ...values }) => ({
      ...values,
      type: EventDefinition_Type[type],
      name: name === '' ? undefined : name,
      attributes: sentAttributes(attributes),
    }),
    check: ({ attributes }) => checkAttributes(attributes),
    onDone(_answer, { programmaticCode }) {
      notifyDone(t('created', { code: programmaticCode }));
      onClose();
      onMade?.(programmaticCode);
    },
  });
  const { getInputProps, values, key } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="xl">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput
          label={t('code')}
          description={t('codeHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('programmaticCode')}
        />
        <div>
          <Input.Label component="div" id="event-type" mb={4}>
            {t('type')}
          </Input.Label>
          <SegmentedControl
            key={key('type')}
            aria-labelledby="event-type"
            data={(['SINGLE', 'AMOUNT'] as const).map((value) => ({ value, label: t(`types.${value}`) }))}
            {...getInputProps('type', { withError: false })}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {t(`typeHints.${values.type}`)}
          </Text>
        </div>
        <TextInput label={t('name')} description={t('nameHint')} {...getInputProps('name')} />
        <Textarea
          label={t('note')}
          description={t('noteHint')}
          autosize
          minRows={2}
          {...getInputProps('description')}
        />
        <AttributeFields form={form.form} holder="event" />
      </ApiForm>
    </FormDialog>
  );
}
