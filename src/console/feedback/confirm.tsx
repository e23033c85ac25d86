import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

/** A question before something that cannot be undone, or that end users will see. */
export type Question = {
  readonly title: string;
  /** What will happen, to what and to how many. */
  readonly message: string;
  /** The verb on the button, for example "End campaign". */
  readonly confirm: string;
  readonly cancel: string;
  /** Destroys something: the button is red. */
  readonly destructive?: boolean;
};

/** Asks; resolves true if the person wants it. The cancelling button has the focus, so that Enter alone harms nothing. */
export function confirm({ title, message, confirm, cancel, destructive = true }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{message}</Text>,
      labels: { confirm, cancel },
      // What closes it says what that means: a cross would have no name.
      withCloseButton: false,
      confirmProps: { color: destructive ? 'red' : 'laurel' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
