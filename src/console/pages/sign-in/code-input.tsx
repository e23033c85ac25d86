import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';

/** The field for a code of the second factor. Letters can be typed, because recovery codes have them. */
export function CodeInput({
  atOnce = false,
  ...props
}: TextInputProps & {
  /** It is the only field of this step, so it has the focus. */
  readonly atOnce?: boolean;
}) {
  const t = useTranslations('signIn');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (atOnce) input.current?.focus();
  }, [atOnce]);
  return (
    <TextInput
      ref={input}
      label={t('code')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      ff="monospace"
      {...props}
    />
  );
}
