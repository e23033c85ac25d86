import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@connectrpc/connect-query';
import { Button, Group, Menu, Stack, Title } from '@mantine/core';
import { UserMinus, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import {
  AudienceAdminService,
  type AudienceMember,
} from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { type Audience, Audience_Kind } from '../../../../gen/laurel/v1/audience_pb.ts';
import { AudienceService } from '../../../../gen/laurel/v1/audience_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { DownloadButton } from '../../shell/download-button.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { MembersDialog, type Membership } from './members-dialog.tsx';
import { Allowed, useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The members of an audience; with assignment also the buttons to add and remove accounts. */
export function AudienceMembers({ audience }: { readonly audience: Audience }) {
  const t = useTranslations('audiences');
  const may = useAllowed();
  const format = useFormatter();
  const [changing, setChanging] = useState<Membership>();
  const manual = audience.kind === Audience_Kind.MANUAL;
  const { id } = audience;
  const addButton = (
    <Allowed to={Permission.ASSIGN_AUDIENCES}>
      <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setChanging('add')}>
        {t('add')}
      </Button>
    </Allowed>
  );
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2}>{t('members')}</Title>
        {manual && (
          <Group gap="sm">
            <Allowed to={Permission.EXPORT}>
              <DownloadButton path={`/admin/exports/accounts.csv?audienceId=${id}`} fileName="members.csv">
                {t('export')}
              </DownloadButton>
            </Allowed>
            <Allowed to={Permission.ASSIGN_AUDIENCES}>
              <Button
                variant="default"
                leftSection={<UserMinus size={16} aria-hidden />}
                onClick={() => setChanging('remove')}
              >
                {t('take')}
              </Button>
            </Allowed>
            {addButton}
          </Group>
        )}
      </Group>
      <DataTable
        id="audience-members"
        label={t('members')}
        method={AudienceAdminService.method.listAudienceMembers}
        input={{ audienceId: id }}
        rowKey={({ account }) => account?.id ?? ''}
        rowPath={({ account }) => `/accounts/${account?.id ?? ''}`}
        columns={[
          {
            key: 'externalId',
            render: ({ account }) => account?.externalId ?? account?.id,
            sort: ({ account }) => account?.externalId,
          },
          {
            key: 'name',
            render: ({ account }) => account?.name ?? '–',
            sort: ({ account }) => account?.name,
          },
          {
            key: 'email',
            wideOnly: true,
            render: ({ account }) => account?.email ?? '–',
            sort: ({ account }) => account?.email,
          },
          {
            key: 'joinedAt',
            title: t('joinedAt'),
            render: ({ joinedAt }) => (joinedAt ? format.dateTime(timestampDate(joinedAt), 'moment') : '–'),
          },
        ]}
        rowActions={
          manual && may(Permission.ASSIGN_AUDIENCES)
            ? (member) => <MemberActions audienceId={id} member={member} />
            : undefined
        }
        empty={
          manual ? (
            <EmptyState
              icon={Users}
              title={t('noMembers')}
              hint={t('noMembersHint')}
              action={
                <Group gap="sm" justify="center">
                  <Allowed to={Permission.IMPORT}>
                    <Button variant="default" component={Link} to={`/imports/new?audience=${id}`}>
                      {t('import')}
                    </Button>
                  </Allowed>
                  {addButton}
                </Group>
              }
            />
          ) : (
            <EmptyState icon={Users} title={t('nobody')} hint={t('nobodyHint')} />
          )
        }
      />
      {changing && <MembersDialog audience={audience} membership={changing} onClose={() => setChanging(undefined)} />}
    </Stack>
  );
}

function MemberActions({ audienceId, member }: { readonly audienceId: string; readonly member: AudienceMember }) {
  const t = useTranslations('audiences');
  const confirm = useConfirm();
  const remove = useMutation(AudienceService.method.removeAccounts);
  const account = member.account?.externalId ?? member.account?.id ?? '';

  async function askAndRemove(): Promise<void> {
    const question = { title: t('takeTitle', { account }), message: t('takeText'), confirm: t('take') };
    if (!(await confirm(question))) return;
    const request = { audienceId, accountIds: [member.account?.id ?? ''] };
    remove.mutate(request, { onSuccess: () => notifyDone(t('taken', { count: 1 })) });
  }

  return (
    <RowMenu label={t('menu', { name: account })}>
      <Menu.Item color="red" leftSection={<UserMinus size={15} />} onClick={() => void askAndRemove()}>
        {t('take')}
      </Menu.Item>
    </RowMenu>
  );
}
