import { notifications } from '@mantine/notifications';
import { failureOf } from '../api/failure.ts';
import { FailureText } from './failure-text.tsx';

/** Says in a corner that something was done. Read out by screen readers; gone after four seconds, wherever the pointer rests. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'laurel', withBorder: true, className: 'laurel-passing' });
}

/** Says in a corner that something was done in part. Stays until it is closed. */
export function notifyPart(message: string): void {
  notifications.show({ message, color: 'yellow', withBorder: true, autoClose: false });
}

/** Says in a corner that a call failed, with its trace id to copy. Stays until it is closed. */
export function notifyFailure(error: unknown): void {
  notifications.show({
    message: <FailureText failure={failureOf(error)} />,
    color: 'red',
    withBorder: true,
    autoClose: false,
  });
}
