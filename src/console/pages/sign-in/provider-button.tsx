import { Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Leaves for the provider, which sends the browser back to the console signed in; or visits it in another tab. */
export function ProviderButton(props: {
  readonly startPath: string;
  readonly provider: string;
  readonly inOtherTab?: boolean;
}) {
  const t = useTranslations('signIn');
  const { startPath, provider, inOtherTab = false } = props;
  return (
    <Stack gap={6}>
      <Button
        component="a"
        href={startPath}
        {...(inOtherTab && { target: '_blank', rel: 'noreferrer' })}
        variant="default"
        fullWidth
      >
        {t('with', { provider })}
      </Button>
      {inOtherTab && (
        <Text size="xs" c="dimmed" ta="center">
          {t('inOtherTab')}
        </Text>
      )}
    </Stack>
  );
}
