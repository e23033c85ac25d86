import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConsoleUserAdminService } from '../../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { Role } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { PasswordOnce } from './password-once.tsx';
import { RoleField } from './role-field.tsx';
import { type UserRole } from '../../names/role-name.ts';

type Values = { email: string; name: string; role: UserRole };

const initialValues: Values = { email: '', name: '', role: 'CLIENT_ADMIN' };

/** Creates a user, in a dialog that shows the one-time password before it closes. */
export function UserForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('users');
  const [made, setMade] = useState<{ readonly email: string; readonly password: string }>();
  const form = useApiForm({
    method: ConsoleUserAdminService.method.createConsoleUser,
    initialValues,
    request: ({ role, ...values }) => ({ ...values, role: Role[role] }),
    onDone: ({ password }, { email }) => setMade({ email, password }),
  });
  const { getInputProps, values, setFieldValue } = form.form;

  if (made !== undefined) return <PasswordOnce {...made} onClose={onClose} />;
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput label={t('email')} type="email" withAsterisk data-autofocus {...getInputProps('email')} />
        <TextInput label={t('name')} {...getInputProps('name')} />
        <RoleField value={values.role} onChange={(role) => setFieldValue('role', role)} />
      </ApiForm>
    </FormDialog>
  );
}
