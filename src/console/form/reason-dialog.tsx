import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { Text, Textarea, type TextareaProps, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { newOperationId } from '../api/operation-id.ts';
import { notifyDone } from '../feedback/notify.tsx';
import { ApiForm } from './api-form.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useApiForm } from './use-api-form.ts';

/** Runs an action that needs only a reason, in a dialog that explains its effects. */
export function ReasonDialog<Input extends DescMessage, Output extends DescMessage>(props: {
  /** A method that takes `reason` and `operationId` beside the fields of `input`. */
  readonly method: DescMethodUnary<Input, Output>;
  /** The target. */
  readonly input: MessageInitShape<Input>;
  readonly title: string;
  /** The consequence. */
  readonly hint: string;
  readonly submit: string;
  readonly done: string;
  /** Takes something away for good: the button is red. */
  readonly destructive?: boolean;
  /** The name of the target, to be typed before something is erased that nobody can bring back. */
  readonly typed?: string;
  readonly onClose: () => void;
  /** Instead of closing the dialog, once it is done. */
  readonly onDone?: () => void;
}) {
  // One for this dialog: a second press, or a try after a lost answer, takes effect once.
  const [operationId] = useState(newOperationId);
  const t = useTranslations('form');
  const { typed } = props;
  const form = useApiForm({
    method: props.method,
    initialValues: { reason: '', typed: '' },
    request: ({ reason }) => ({ ...props.input, reason, operationId }) as unknown as MessageInitShape<Input>,
    check: (values) => ({
      typed: typed === undefined || values.typed.trim() === typed ? undefined : t('typedWrong', { text: typed }),
    }),
    onDone() {
      notifyDone(props.done);
      (props.onDone ?? props.onClose)();
    },
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title={props.title}>
      <ApiForm form={form} submit={props.submit} destructive={props.destructive} onCancel={props.onClose}>
        <Text size="sm">{props.hint}</Text>
        <ReasonField isFirst {...form.form.getInputProps('reason')} />
        {typed !== undefined && (
          <TextInput
            label={t('typed', { text: typed })}
            withAsterisk
            autoComplete="off"
            {...form.form.getInputProps('typed')}
          />
        )}
      </ApiForm>
    </FormDialog>
  );
}

/** Where the reason is entered that the audit log keeps. */
export function ReasonField({ isFirst, ...field }: TextareaProps & { readonly isFirst?: boolean }) {
  const t = useTranslations('form');
  return (
    <Textarea
      label={t('reason')}
      description={t('reasonHint')}
      withAsterisk
      autosize
      data-autofocus={isFirst}
      {...field}
    />
  );
}
