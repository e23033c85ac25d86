import { Alert, Button, Checkbox, CopyButton, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { Check, Copy, Eye } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useUnsavedWork } from '../form/unsaved-work.ts';

/**
 * A dialog with a secret that the service shows this once. Only its own button closes it, after the secret was copied or
 * the person has said that it is kept: neither Escape nor a click beside it.
 */
export function SecretOnce(props: {
  readonly title: string;
  readonly label: string;
  /** Several secrets have separate lines. */
  readonly secret: string;
  /** Its purpose, and the note that it is shown once. */
  readonly hint: string;
  readonly onDone: () => void;
}) {
  const t = useTranslations('feedback');
  const [kept, setKept] = useState(false);
  const lines = props.secret.split('\n').length;
  const field = {
    label: props.label,
    value: props.secret,
    readOnly: true,
    flex: 1,
    ff: 'monospace',
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => currentTarget.select(),
    onCopy: () => setKept(true),
  };
  useUnsavedWork(kept ? undefined : 'secret');
  return (
    <Modal
      opened
      onClose={props.onDone}
      title={props.title}
      size="lg"
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Alert color="yellow" icon={<Eye />}>
          {props.hint}
        </Alert>
        <Group gap="sm" align="flex-end" wrap="nowrap">
          {/* A field and not a text, because users can select all of it if the browser forbids copying. */}
          {lines > 1 ? <Textarea rows={lines} {...field} /> : <TextInput {...field} />}
          <CopyButton value={props.secret}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                data-autofocus
                leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
                onClick={() => {
                  copy();
                  // Browsers let pages copy on secure origins only; elsewhere the person says so.
                  if (window.isSecureContext) setKept(true);
                }}
              >
                <span aria-live="polite">{copied ? t('copied') : t('copy')}</span>
              </Button>
            )}
          </CopyButton>
        </Group>
        <Group justify="space-between" gap="sm">
          <Checkbox label={t('kept')} checked={kept} onChange={({ currentTarget }) => setKept(currentTarget.checked)} />
          <Button onClick={props.onDone} disabled={!kept}>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
