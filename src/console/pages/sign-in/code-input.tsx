import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The field for a code of the second factor. Letters can be typed, because recovery codes have them. */
export function CodeInput(props: TextInputProps) {
  const t = useTranslations('signIn');
  return (
    <TextInput
      label={t('code')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      ff="monospace"
      {...props}
    />
  );
}
