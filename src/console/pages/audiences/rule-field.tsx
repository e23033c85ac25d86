import { Textarea, type TextareaProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The expression of a RULE audience. */
export function RuleField(props: TextareaProps) {
  const t = useTranslations('audiences');
  return (
    <Textarea
      label={t('expression')}
      description={t('expressionHint')}
      placeholder={'account.tier == "GOLD"'}
      withAsterisk
      autosize
      minRows={2}
      maxRows={12}
      ff="monospace"
      spellCheck={false}
      {...props}
    />
  );
}
