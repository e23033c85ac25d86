import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Leaves for the provider, which sends the browser back to the console signed in. */
export function ProviderButton({ startPath, provider }: { readonly startPath: string; readonly provider: string }) {
  const t = useTranslations('signIn');
  return (
    <Button component="a" href={startPath} variant="default" fullWidth>
      {t('with', { provider })}
    </Button>
  );
}
