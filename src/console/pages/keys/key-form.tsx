import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CredentialAdminService } from '../../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { Credential_Kind as Kind } from '../../../../gen/laurel/admin/v1/credential_pb.ts';
import { Role } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { SecretOnce } from '../../feedback/secret-once.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useSession } from '../../session/session-context.tsx';

type Values = {
  kind: 'API_KEY' | 'ACCESS_TOKEN';
  name: string;
  role: 'CLIENT_ADMIN' | 'SERVICE_ADMIN';
  expiresAt: keyof typeof DAYS;
};

/** The lifetime of a key in days. */
const DAYS = { never: Infinity, month: 30, quarter: 90, year: 365 };

const expiries = ['never', 'month', 'quarter', 'year'] as const;

const MILLISECONDS_A_DAY = 86_400_000;

const initialValues: Values = { kind: 'API_KEY', name: '', role: 'CLIENT_ADMIN', expiresAt: 'year' };

/** Makes a key or token, in a dialog that shows its secret before it closes. */
export function KeyForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('keys');
  const users = useTranslations('users');
  const session = useSession();
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string }>();
  const form = useApiForm({
    method: CredentialAdminService.method.createCredential,
    initialValues,
    request: ({ kind, name, role, expiresAt }) => ({
      kind: Kind[kind],
      name,
      role: kind === 'API_KEY' ? Role.INTEGRATOR : Role[role],
      expiresAt: expiresAt === 'never' ? undefined : daysFromNow(DAYS[expiresAt]),
    }),
    onDone: ({ secret }, { name }) => setMade({ name, secret }),
  });
  const { getInputProps, values, key } = form.form;

  if (made !== undefined) {
    return (
      <SecretOnce
        title={t('secretTitle', { name: made.name })}
        label={t('secret')}
        secret={made.secret}
        hint={t('secretHint')}
        onDone={onClose}
      />
    );
  }
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('name')}
        />
        <div>
          <Text size="sm" fw={500} id="key-kind" mb={4}>
            {t('kind')}
          </Text>
          <SegmentedControl
            key={key('kind')}
            aria-labelledby="key-kind"
            data={(['API_KEY', 'ACCESS_TOKEN'] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
            {...getInputProps('kind', { withError: false })}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {t(`kindHints.${values.kind}`)}
          </Text>
        </div>
        {values.kind === 'ACCESS_TOKEN' && session.role === Role.SERVICE_ADMIN && (
          <NativeSelect
            label={t('role')}
            data={(['CLIENT_ADMIN', 'SERVICE_ADMIN'] as const).map((value) => ({
              value,
              label: users(`roles.${value}`),
            }))}
            {...getInputProps('role')}
          />
        )}
        <NativeSelect
          label={t('expiry')}
          data={expiries.map((value) => ({ value, label: t(`expiries.${value}`) }))}
          {...getInputProps('expiresAt')}
        />
      </ApiForm>
    </FormDialog>
  );
}

function daysFromNow(days: number): Timestamp {
  return timestampFromMs(Date.now() + days * MILLISECONDS_A_DAY);
}
