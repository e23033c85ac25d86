import { Select, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Role } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { type UserRole, userRoles } from '../../names/role-name.ts';
import { canActOn } from '../../session/can-act-on.ts';
import { useSession } from '../../session/session-context.tsx';

/** The role of a user: only roles without more permissions than one's own, because users cannot grant more. */
export function RoleField(props: { readonly value: UserRole; readonly onChange: (role: UserRole) => void }) {
  const t = useTranslations('users');
  const session = useSession();
  const roles = userRoles.filter((role) => canActOn(session.role, Role[role]));
  return (
    <Select
      label={t('role')}
      description={t(`roleHints.${props.value}`)}
      data={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
      value={props.value}
      allowDeselect={false}
      renderOption={({ option }) => (
        <Stack gap={0}>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {t(`roleHints.${option.value}`)}
          </Text>
        </Stack>
      )}
      onChange={(role) => props.onChange(role ?? props.value)}
    />
  );
}
