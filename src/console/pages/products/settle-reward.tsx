import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { Text, Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

/** Settles a reward that waits for stock, in a dialog, with the reason that the audit log keeps. */
export function SettleReward<Input extends DescMessage, Output extends DescMessage>(props: {
  /** A method that takes `id` and `reason`. */
  readonly method: DescMethodUnary<Input, Output>;
  /** Of the earned reward. */
  readonly id: string;
  readonly title: string;
  /** What follows from it. */
  readonly hint: string;
  readonly submit: string;
  readonly done: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('products');
  const form = useApiForm({
    method: props.method,
    initialValues: { reason: '' },
    request: ({ reason }) => ({ id: props.id, reason }) as unknown as MessageInitShape<Input>,
    onDone() {
      notifyDone(props.done);
      props.onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title={props.title}>
      <ApiForm form={form} submit={props.submit} onCancel={props.onClose}>
        <Text size="sm">{props.hint}</Text>
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          withAsterisk
          autosize
          data-autofocus
          {...form.form.getInputProps('reason')}
        />
      </ApiForm>
    </FormDialog>
  );
}
