import { Alert, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import { Check, Copy, Eye } from 'lucide-react';
import { useTranslations } from 'use-intl';

/** A secret that the service shows this once, with the button that copies it and the one that puts it away. */
export function SecretOnce(props: {
  readonly label: string;
  readonly secret: string;
  /** What it is for, and that it is not shown again. */
  readonly hint: string;
  readonly onDone: () => void;
}) {
  const t = useTranslations('feedback');
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<Eye />}>
        {props.hint}
      </Alert>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        {/* A field and not a text, because it can be selected whole where the browser lets no page copy. */}
        <TextInput
          label={props.label}
          value={props.secret}
          readOnly
          flex={1}
          ff="monospace"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton value={props.secret}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              data-autofocus
              leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
              onClick={copy}
            >
              <span aria-live="polite">{copied ? t('copied') : t('copy')}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
      <Group justify="flex-end">
        <Button onClick={props.onDone}>{t('kept')}</Button>
      </Group>
    </Stack>
  );
}
