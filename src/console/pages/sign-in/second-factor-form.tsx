import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureOf } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import { CodeInput } from './code-input.tsx';
import type { CodeStep } from './sign-in-steps.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The second step of a sign-in: the code, after a correct password. */
export function SecondFactorForm({ entered, onBack }: { readonly entered: CodeStep; readonly onBack: () => void }) {
  const t = useTranslations('signIn');
  const keeper = useSessionKeeper();
  const [failure, setFailure] = useState<unknown>();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? t('required') : null) },
  });

  async function send({ code }: { code: string }): Promise<void> {
    setFailure(undefined);
    try {
      await keeper.signIn(entered.email, entered.password, { ...entered, secondFactor: code.trim() });
    } catch (error) {
      if (['SECOND_FACTOR_REFUSED', 'BAD_REQUEST'].includes(failureOf(error).code))
        form.setErrors({ code: t('codeRefused') });
      else setFailure(error);
    }
  }

  return (
    <SignInFrame title={t('factorTitle')} hint={t('factorHint')}>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack gap="md">
          <CodeInput atOnce description={t('codeHint')} {...form.getInputProps('code')} />
          {failure !== undefined && <FailureAlert error={failure} />}
          <Button type="submit" loading={form.submitting} fullWidth mt={4}>
            {t('submit')}
          </Button>
          <Button variant="subtle" onClick={onBack}>
            {t('back')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
