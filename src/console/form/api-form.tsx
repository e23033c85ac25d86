import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failureOf } from '../api/failure.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { useDialogClose } from './form-dialog.tsx';
import type { ApiForm as Form } from './use-api-form.ts';

/** The frame of a form: its fields, what the service says of the whole, and the buttons. */
export function ApiForm<Values>(props: {
  readonly form: Form<Values>;
  /** The verb on the button, for example "Create audience". */
  readonly submit: string;
  /** Takes something away for good: the button is red. */
  readonly destructive?: boolean | undefined;
  readonly onCancel?: () => void;
  /** Reads again what is being changed, and drops what was entered: the way out where somebody else was faster. */
  readonly onReadAgain?: () => void;
  readonly children: ReactNode;
}) {
  const t = useTranslations('form');
  const { form } = props;
  const close = useDialogClose() ?? props.onCancel;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        {props.children}
        {form.failure !== undefined && (
          <Stack gap="xs" align="flex-start">
            <FailureAlert error={form.failure} />
            {props.onReadAgain && failureOf(form.failure).code === 'VERSION_CONFLICT' && (
              <Button variant="default" onClick={props.onReadAgain}>
                {t('readAgain')}
              </Button>
            )}
          </Stack>
        )}
        <Group justify="flex-end" gap="sm" mt="xs">
          {props.onCancel && (
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" color={props.destructive ? 'red' : undefined} loading={form.pending}>
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
