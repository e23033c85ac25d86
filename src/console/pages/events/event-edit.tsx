import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { EventDefinition } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import {
  type AttributeEntry,
  entriesOf,
  sentAttributes,
  useAttributeCheck,
} from '../../attributes/attribute-entries.ts';
import { AttributeFields } from '../../attributes/attribute-fields.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = { name: string; description: string; attributes: AttributeEntry[] };

/** Changes the texts and attributes of an event definition; its code and type never change. */
export function EventEdit(props: { readonly definition: EventDefinition; readonly onClose: () => void }) {
  const t = useTranslations('events');
  const form$ = useTranslations('form');
  const checkAttributes = useAttributeCheck();
  // Saving compares with the version read when the dialog opened, because the table behind it is refreshed meanwhile.
  const [{ id, version, programmaticCode: code, name, description, attributes }] = useState(props.definition);
  const form = useApiForm({
    method: EventDefinitionAdminService.method.updateEventDefinition,
    initialValues: { name: name ?? code, description: description ?? '', attributes: entriesOf(attributes) },
    // The service replaces the whole list, so an attribute that is left out would be removed.
    request: (values: Values) => ({ id, version, ...values, attributes: sentAttributes(values.attributes) }),
    check: (values) => checkAttributes(values.attributes),
    onDone() {
      notifyDone(t('saved', { code }));
      props.onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('edit', { code })} size="xl">
      <ApiForm form={form} submit={form$('save')} onCancel={props.onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
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
