import { Alert, Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { failureOf } from '../api/failure.ts';
import { FailureText } from './failure-text.tsx';

/** A failure in the place of the answer, with a button to retry. */
export function FailureAlert({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useTranslations('feedback');
  return (
    <Alert color="red" title={t('failed')} role="alert">
      <FailureText failure={failureOf(error)} />
      {retry && (
        <Button mt="sm" size="xs" variant="default" onClick={retry}>
          {t('retry')}
        </Button>
      )}
    </Alert>
  );
}
