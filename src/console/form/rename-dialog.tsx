import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { notifyDone } from '../feedback/notify.tsx';
import { ApiForm } from './api-form.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useApiForm } from './use-api-form.ts';

/** Renames one thing, in a dialog, against the version that was read when the dialog opened. */
export function RenameDialog<Input extends DescMessage, Output extends DescMessage>(props: {
  /** A method that takes `id`, `version` and `name`. */
  readonly method: DescMethodUnary<Input, Output>;
  readonly resource: { readonly id: string; readonly version?: number | undefined; readonly name: string };
  readonly title: string;
  /** Why other changes are not offered here. */
  readonly hint?: ReactNode;
  readonly done: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('form');
  const { id, version = 1, name } = props.resource;
  const form = useApiForm({
    method: props.method,
    initialValues: { id, version, name },
    request: (values) => values as unknown as MessageInitShape<Input>,
    onDone() {
      notifyDone(props.done);
      props.onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title={props.title}>
      <ApiForm form={form} submit={t('save')} onCancel={props.onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...form.form.getInputProps('name')} />
        {props.hint !== undefined && (
          <Text size="sm" c="dimmed">
            {props.hint}
          </Text>
        )}
      </ApiForm>
    </FormDialog>
  );
}
