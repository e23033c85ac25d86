import { PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type BeginSecondFactorResponse, SessionService } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { CopyId } from '../../shell/copy-id.tsx';
import { CodeInput } from '../sign-in/code-input.tsx';
import { QrCode } from './qr-code.tsx';

/** Switches the second factor on: the password, then the key for the app, and a code by which the app shows that it has it. */
export function EnableSecondFactor(props: {
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}) {
  const t = useTranslations('secondFactor');
  const signIn = useTranslations('signIn');
  const [begun, setBegun] = useState<BeginSecondFactorResponse>();
  const begin = useApiForm({
    method: SessionService.method.beginSecondFactor,
    initialValues: { currentPassword: '' },
    request: (values) => values,
    onDone: (answer) => setBegun(answer),
  });
  const confirm = useApiForm({
    method: SessionService.method.confirmSecondFactor,
    initialValues: { code: '' },
    request: (values) => values,
    onDone: ({ recoveryCodes }) => props.onDone(recoveryCodes),
  });
  const form = begun === undefined ? begin : confirm;
  return (
    <FormDialog form={form} title={t('enableTitle')} onClose={props.onClose}>
      {begun === undefined ? (
        <ApiForm form={begin} submit={t('next')} onCancel={props.onClose}>
          <PasswordInput
            label={signIn('current')}
            autoComplete="current-password"
            withAsterisk
            data-autofocus
            {...begin.form.getInputProps('currentPassword')}
          />
        </ApiForm>
      ) : (
        <ApiForm form={confirm} submit={t('confirm')} onCancel={props.onClose}>
          <Text size="sm">{t('scan')}</Text>
          <QrCode text={begun.uri} label={t('qr')} />
          <Stack gap={2}>
            <Text size="sm" fw={500}>
              {t('key')}
            </Text>
            <CopyId id={begun.secret} />
          </Stack>
          <CodeInput atOnce description={t('codeHint')} withAsterisk {...confirm.form.getInputProps('code')} />
        </ApiForm>
      )}
    </FormDialog>
  );
}
