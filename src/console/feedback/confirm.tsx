import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { FailureAlert } from './failure-alert.tsx';

/** A question before something that cannot be undone, or that end users will see. */
export type Question = {
  readonly title: string;
  /** The effect, the target and the number. */
  readonly message: string;
  /** The verb on the button, for example "End campaign". */
  readonly confirm: string;
  /** Goes back; another word than the verb's own. */
  readonly cancel: string;
  /** Destroys something: the button is red. */
  readonly destructive?: boolean;
  /**
   * Runs the confirmed action, while the dialog waits. After a failure the dialog stays, with the reason beside its button, so its mutation
   * needs `meta: { showsError: true }`. Without the function the dialog only asks.
   */
  readonly act?: () => Promise<unknown>;
};

/**
 * Asks for a confirmation, and runs the action of the question, if any; resolves true if the user confirmed. The cancel button has the
 * focus, so that Enter alone is harmless.
 */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const id = modals.open({
      title: question.title,
      // The closing button has a text, because a cross would have no name.
      withCloseButton: false,
      onClose: () => resolve(false),
      children: <Answers question={question} onAnswer={answer} />,
    });
    function answer(isWanted: boolean): void {
      resolve(isWanted);
      modals.close(id);
    }
  });
}

function Answers(props: { readonly question: Question; readonly onAnswer: (isWanted: boolean) => void }) {
  const { message, confirm: verb, cancel, destructive = true, act } = props.question;
  const [failure, setFailure] = useState<unknown>();
  const [isActing, setIsActing] = useState(false);

  async function go(): Promise<void> {
    setIsActing(true);
    setFailure(undefined);
    try {
      await act?.();
      props.onAnswer(true);
    } catch (error) {
      setFailure(error);
    } finally {
      setIsActing(false);
    }
  }

  return (
    <Stack gap="md">
      <Text size="sm">{message}</Text>
      {failure !== undefined && <FailureAlert error={failure} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => props.onAnswer(false)} data-autofocus>
          {cancel}
        </Button>
        <Button color={destructive ? 'red' : 'laurel'} loading={isActing} onClick={() => void go()}>
          {verb}
        </Button>
      </Group>
    </Stack>
  );
}
