import type { TextareaProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ExpressionArea } from '../../expressions/expression-area.tsx';

/** The expression of a RULE audience. */
export function RuleField(props: TextareaProps) {
  const t = useTranslations('audiences');
  return (
    <ExpressionArea
      place={{ scope: 'AUDIENCE_RULE' }}
      label={t('expression')}
      description={t('expressionHint')}
      placeholder={'account.tier == "GOLD"'}
      withAsterisk
      {...props}
    />
  );
}
