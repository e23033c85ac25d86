import { PasswordInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SessionService } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useSessionKeeper } from '../../session/session-context.tsx';

/** Replaces the password of the signed-in user. */
export function PasswordFields({ onDone }: { readonly onDone?: () => void }) {
  const t = useTranslations('signIn');
  const keeper = useSessionKeeper();
  const form = useApiForm({
    method: SessionService.method.changePassword,
    initialValues: { currentPassword: '', newPassword: '' },
    request: (values) => values,
    async onDone() {
      notifyDone(t('changed'));
      form.form.reset();
      await keeper.reload();
      onDone?.();
    },
  });
  const { getInputProps } = form.form;
  return (
    <ApiForm form={form} submit={t('change')}>
      <PasswordInput
        label={t('current')}
        autoComplete="current-password"
        withAsterisk
        {...getInputProps('currentPassword')}
      />
      <PasswordInput
        label={t('new')}
        description={t('newHint')}
        autoComplete="new-password"
        withAsterisk
        {...getInputProps('newPassword')}
      />
    </ApiForm>
  );
}
