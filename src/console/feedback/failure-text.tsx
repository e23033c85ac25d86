import { Code, CopyButton, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Failure } from '../api/failure.ts';

/** What went wrong, in the service's words, and the trace id to hand to anyone who reads its log. */
export function FailureText({ failure }: { readonly failure: Failure }) {
  const t = useTranslations('feedback');
  return (
    <Stack gap={6}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {failure.code === 'UNREACHABLE' ? t('unreachable') : failure.message}
      </Text>
      {failure.traceId !== undefined && (
        <Group gap={6} wrap="wrap">
          <Text size="xs" c="dimmed">
            {t('traceId')}
          </Text>
          <Code fz="xs">{failure.traceId}</Code>
          <CopyButton value={failure.traceId}>
            {({ copied, copy }) => (
              <UnstyledButton onClick={copy} fz="xs" c="var(--mantine-color-anchor)" td="underline">
                {copied ? t('copied') : t('copy')}
              </UnstyledButton>
            )}
          </CopyButton>
        </Group>
      )}
    </Stack>
  );
}
