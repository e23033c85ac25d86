import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';

/** An id, with a button that copies it. It can be selected as well, because browsers let pages copy on secure origins only. */
export function CopyId({ id }: { readonly id: string }) {
  const t = useTranslations('table');
  return (
    <Group gap={4} wrap="nowrap" component="span" miw={0}>
      <Code p={0} bg="transparent" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </Code>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            aria-label={copied ? t('copied') : t('copy', { text: id })}
            onClick={copy}
          >
            {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
