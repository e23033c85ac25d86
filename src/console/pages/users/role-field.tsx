import { Input, SegmentedControl, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Role } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { useSession } from '../../session/session-context.tsx';

/** The roles that somebody who signs in may have. */
export type UserRole = 'CLIENT_ADMIN' | 'SERVICE_ADMIN';

/** What somebody may do. Only service administrators choose: nobody grants more than one has. */
export function RoleField(props: { readonly value: UserRole; readonly onChange: (role: UserRole) => void }) {
  const t = useTranslations('users');
  const session = useSession();
  if (session.role !== Role.SERVICE_ADMIN) return null;
  return (
    <div>
      <Input.Label component="div" id="user-role" mb={4}>
        {t('role')}
      </Input.Label>
      <SegmentedControl
        aria-labelledby="user-role"
        data={(['CLIENT_ADMIN', 'SERVICE_ADMIN'] as const).map((value) => ({ value, label: t(`roles.${value}`) }))}
        value={props.value}
        onChange={props.onChange}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t(`roleHints.${props.value}`)}
      </Text>
    </div>
  );
}
