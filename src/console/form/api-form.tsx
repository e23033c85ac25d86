import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCancelWord } from './cancel-word.ts';
import { useDialogClose } from './form-dialog.tsx';
import { FormFailure, type Overtaken } from './form-failure.tsx';
import type { ApiForm as Form } from './use-api-form.ts';

/** The frame of a form: its fields, the service's failure, and the buttons. */
export function ApiForm<Values>(
  props: Overtaken<Values> & {
    readonly form: Form<Values>;
    /** The verb on the button, for example "Create audience". */
    readonly submit: string;
    /** Takes something away for good: the button is red. */
    readonly destructive?: boolean | undefined;
    readonly onCancel?: () => void;
    readonly children: ReactNode;
  },
) {
  const cancelWord = useCancelWord();
  const { form } = props;
  const close = useDialogClose() ?? props.onCancel;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        {props.children}
        <FormFailure form={form} readStored={props.readStored} onReadAgain={props.onReadAgain} />
        <Group justify="flex-end" gap="sm" mt="xs">
          {props.onCancel && (
            <Button variant="default" onClick={close}>
              {cancelWord(props.submit)}
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
