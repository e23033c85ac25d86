import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Text } from '@mantine/core';
import { UserCog } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ConsoleUserAdminService } from '../../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { canActOn } from '../../session/can-act-on.ts';
import { useSession } from '../../session/session-context.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { UserActions } from './user-actions.tsx';
import { UserForm } from './user-form.tsx';
import { UserState } from './user-state.tsx';
import { roleName, userRoles } from '../../names/role-name.ts';

/** The users of this client. */
export function UserList() {
  const t = useTranslations('users');
  const format = useFormatter();
  const session = useSession();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_USERS}
      form={UserForm}
      empty={{ icon: UserCog, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="users"
          label={t('title')}
          method={ConsoleUserAdminService.method.listConsoleUsers}
          rowKey={({ id }) => id}
          filters={[
            {
              field: 'role',
              label: t('role'),
              options: userRoles.map((value) => ({
                value,
                label: t(`roles.${value}`),
              })),
            },
          ]}
          columns={[
            {
              key: 'email',
              render: ({ id, email }) => (
                <>
                  {email}{' '}
                  {id === session.user?.id && (
                    <Text span size="xs" c="dimmed">
                      ({t('you')})
                    </Text>
                  )}
                </>
              ),
            },
            { key: 'name', render: ({ name }) => name },
            {
              key: 'role',
              title: t('role'),
              render: ({ role }) => <span className="laurel-words">{t(`roles.${roleName(role)}`)}</span>,
            },
            { key: 'state', title: t('state'), render: (user) => <UserState user={user} /> },
            {
              key: 'secondFactorEnabled',
              title: t('secondFactor'),
              wideOnly: true,
              render: ({ secondFactorEnabled }) => secondFactorEnabled && <Badge>{t('secondFactorOn')}</Badge>,
            },
            {
              key: 'lastSignedInAt',
              title: t('lastSignedInAt'),
              render: ({ lastSignedInAt }) =>
                lastSignedInAt ? format.dateTime(timestampDate(lastSignedInAt), 'moment') : undefined,
            },
            {
              key: 'createdAt',
              wideOnly: true,
              render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
            },
          ]}
          rowActions={(user) => canActOn(session.role, user.role) && <UserActions user={user} />}
          empty={empty}
        />
      )}
    />
  );
}
