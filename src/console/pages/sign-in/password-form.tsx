import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureOf } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import type { PasswordStep, CodeStep } from './sign-in-steps.ts';

/** E-mail and password. Calls `onChoices` if they belong to users of several clients, `onSecondFactor` if a code is required. */
export function PasswordForm(props: {
  readonly onChoices: (entered: PasswordStep) => void;
  readonly onSecondFactor: (entered: CodeStep) => void;
}) {
  const t = useTranslations('signIn');
  const keeper = useSessionKeeper();
  const [failure, setFailure] = useState<unknown>();
  const required = (value: string) => (value === '' ? t('required') : null);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: required, password: required },
  });

  async function send({ email, password }: { email: string; password: string }): Promise<void> {
    setFailure(undefined);
    // The next page is loaded while the service checks the password.
    void import('../../shell/shell.tsx').catch(() => undefined);
    try {
      const choices = await keeper.signIn(email.trim(), password);
      if (choices.length > 0) props.onChoices({ email, password, choices });
    } catch (error) {
      const { code } = failureOf(error);
      // The message does not say which of the two is wrong, so that it does not reveal existing users.
      if (code === 'SIGN_IN_REFUSED') form.setErrors({ password: t('refused') });
      else if (code === 'SECOND_FACTOR_REQUIRED') props.onSecondFactor({ email: email.trim(), password });
      else setFailure(error);
    }
  }

  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput label={t('password')} autoComplete="current-password" {...form.getInputProps('password')} />
        {failure !== undefined && <FailureAlert error={failure} />}
        <Button type="submit" loading={form.submitting} fullWidth mt={4}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
