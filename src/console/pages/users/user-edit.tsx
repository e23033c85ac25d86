import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConsoleUserAdminService } from '../../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { ConsoleUser } from '../../../../gen/laurel/admin/v1/console_user_pb.ts';
import { Role } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';
import { RoleField } from './role-field.tsx';
import { roleName, type UserRole } from '../../names/role-name.ts';

type Values = { name: string; role: UserRole };

/** Changes the name and the role of a user. The e-mail never changes. */
export function UserEdit({ user, onClose }: { readonly user: ConsoleUser; readonly onClose: () => void }) {
  const t = useTranslations('users');
  const form$ = useTranslations('form');
  const session = useSession();
  const keeper = useSessionKeeper();
  // Saving compares with the version read when the dialog opened, because the table behind it is refreshed meanwhile.
  const [{ id, email, version }] = useState(user);
  const initialValues: Values = {
    name: user.name,
    role: roleName(user.role),
  };
  const form = useApiForm({
    method: ConsoleUserAdminService.method.updateConsoleUser,
    within: 'user',
    initialValues,
    request: ({ name, role }) => ({ id, user: { name, role: Role[role], version } }),
    async onDone() {
      notifyDone(t('saved', { email }));
      onClose();
      if (id === session.user?.id) await keeper.reload();
    },
  });
  const { getInputProps, values, setFieldValue } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('edit', { email })} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <TextInput label={t('name')} data-autofocus {...getInputProps('name')} />
        <RoleField value={values.role} onChange={(role) => setFieldValue('role', role)} />
      </ApiForm>
    </FormDialog>
  );
}
