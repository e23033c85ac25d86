import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { NumberInput, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiForm } from './api-form.tsx';
import { ReasonField } from './reason-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useApiForm } from './use-api-form.ts';

type Values = { quantity: number | ''; reason: string };

const initialValues: Values = { quantity: '', reason: '' };

/** Adds units to the stock of one thing, or takes some out, in a dialog. */
export function UnitsDialog<Input extends DescMessage, Output extends DescMessage>(props: {
  /** A method that takes `id` and `quantity`, and `reason` if that is asked for. */
  readonly method: DescMethodUnary<Input, Output>;
  readonly id: string;
  readonly title: string;
  /** The consequence. */
  readonly hint: string;
  /** The label of the number; units to add by default. */
  readonly label?: string;
  /** The maximum; undefined without a limit. */
  readonly most?: number | undefined;
  /** Whether a reason for the audit log is asked for; no by default. */
  readonly reason?: 'required' | 'optional';
  /** The label of the button; adding units by default. */
  readonly submit?: string;
  readonly onDone: (answer: MessageShape<Output>, quantity: number) => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations('form');
  const rules = useTranslations('rules');
  const format = useFormatter();
  const { most, reason: asked } = props;
  const form = useApiForm({
    method: props.method,
    initialValues,
    request: ({ quantity, reason }) =>
      ({
        id: props.id,
        quantity: Number(quantity),
        ...(asked !== undefined && { reason }),
      }) as unknown as MessageInitShape<Input>,
    check: ({ quantity }) => ({
      quantity:
        most !== undefined && quantity !== '' && quantity > most
          ? rules('atMost', { number: format.number(most) })
          : undefined,
    }),
    onDone(answer, { quantity }) {
      props.onDone(answer, Number(quantity));
      props.onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title={props.title}>
      <ApiForm form={form} submit={props.submit ?? t('addUnits')} onCancel={props.onClose}>
        <NumberInput
          label={props.label ?? t('units')}
          description={most === undefined ? undefined : rules('atMost', { number: format.number(most) })}
          withAsterisk
          allowDecimal={false}
          data-autofocus
          {...form.form.getInputProps('quantity')}
        />
        {asked !== undefined && (
          <ReasonField {...form.form.getInputProps('reason')} withAsterisk={asked === 'required'} />
        )}
        <Text size="sm" c="dimmed">
          {props.hint}
        </Text>
      </ApiForm>
    </FormDialog>
  );
}
