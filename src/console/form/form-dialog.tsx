import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useState } from 'react';
import { useTranslations } from 'use-intl';
import { askToLeave, useUnsavedWork } from './unsaved-work.ts';

const CloseContext = createContext<(() => void) | undefined>(undefined);

/** Closes the dialog around a form as its own buttons do: not without a question. Undefined outside of a dialog. */
export function useDialogClose(): (() => void) | undefined {
  return useContext(CloseContext);
}

/** A dialog in which something is entered: however it is closed, it asks before that is lost. */
export function FormDialog({
  form,
  unsaved = form !== undefined && form.form.isDirty() && !form.pending,
  onClose,
  children,
  ...modal
}: Omit<ModalProps, 'opened' | 'form'> & {
  /** The form in it, which knows whether anything was entered. */
  readonly form?: { readonly form: { isDirty(): boolean }; readonly pending: boolean };
  /** Whether it has unsaved input, for a dialog without such a form. */
  readonly unsaved?: boolean;
}) {
  const t = useTranslations('form');
  const [asking, setAsking] = useState(false);
  useUnsavedWork(unsaved ? 'entries' : undefined);

  async function close(): Promise<void> {
    if (asking) return;
    setAsking(true);
    const leave = await askToLeave(unsaved ? 'entries' : undefined);
    setAsking(false);
    if (leave) onClose();
  }

  const tryToClose = () => void close();
  return (
    // Escape answers the question and not this dialog, too.
    <Modal
      {...modal}
      opened
      onClose={tryToClose}
      closeOnEscape={!asking}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <CloseContext value={tryToClose}>{children}</CloseContext>
    </Modal>
  );
}
