import { Code, CopyButton, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { FieldFailure, Failure } from '../api/failure.ts';
import { useRuleTexts } from '../form/use-rule-texts.ts';
import { useServiceWords } from '../language/use-service-words.ts';

/** The error in the operator's language, and the trace id for readers of the service's log. */
export function FailureText({ failure }: { readonly failure: Failure }) {
  const t = useTranslations('feedback');
  const wordsOf = useServiceWords();
  const ruleText = useRuleTexts();

  function text(): string {
    if (failure.code === 'UNREACHABLE') return t('unreachable');
    if (failure.fields.length === 0) return wordsOf(failure);
    return failure.fields.map((fault) => faultText(fault)).join(' ');
  }

  function faultText({ field, rule, description }: FieldFailure): string {
    const words = ruleText({ path: field, rule, message: description });
    return wordsOf({ message: words, metadata: { message: '{0}: {1}', 0: field, 1: words } });
  }

  return (
    <Stack gap={6}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text()}
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
