import { PasswordInput, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SessionService } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useSession } from '../../session/session-context.tsx';
import { CodeInput } from '../sign-in/code-input.tsx';

/** Switches the second factor off, by password and code. */
export function DisableSecondFactor(props: { readonly onClose: () => void; readonly onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const signIn = useTranslations('signIn');
  const form = useApiForm({
    method: SessionService.method.disableSecondFactor,
    initialValues: { currentPassword: '', code: '' },
    request: (values) => values,
    onDone: props.onDone,
  });
  const { client } = useSession();
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} title={t('disableTitle')} onClose={props.onClose}>
      <ApiForm form={form} submit={t('disable')} destructive onCancel={props.onClose}>
        {client?.requireSecondFactor === true && <Text size="sm">{t('disableRequired', { name: client.name })}</Text>}
        <PasswordInput
          label={signIn('current')}
          autoComplete="current-password"
          withAsterisk
          data-autofocus
          {...getInputProps('currentPassword')}
        />
        <CodeInput description={signIn('codeHint')} withAsterisk {...getInputProps('code')} />
      </ApiForm>
    </FormDialog>
  );
}
