import { useMutation } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { KeyRound, MonitorSmartphone, Pencil, ShieldOff, UserCheck, UserX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ConsoleUserAdminService } from '../../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { ConsoleUser } from '../../../../gen/laurel/admin/v1/console_user_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { useSession } from '../../session/session-context.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { PasswordOnce } from './password-once.tsx';
import { UserSessions } from './user-sessions.tsx';
import { UserEdit } from './user-edit.tsx';

/** The actions on one user; users cannot lock themselves out. */
export function UserActions({ user }: { readonly user: ConsoleUser }) {
  const t = useTranslations('users');
  const session = useSession();
  const confirm = useConfirm();
  const [editing, { open, close }] = useDisclosure(false);
  const [looking, sessions] = useDisclosure(false);
  const update = useMutation(ConsoleUserAdminService.method.updateConsoleUser);
  const reset = useMutation(ConsoleUserAdminService.method.resetConsoleUserPassword);
  const resetFactor = useMutation(ConsoleUserAdminService.method.resetConsoleUserSecondFactor);
  const { id, email, version, disabled } = user;

  function setDisabled(next: boolean): void {
    update.mutate(
      { id, user: { disabled: next, version } },
      { onSuccess: () => notifyDone(next ? t('disabled', { email }) : t('enabled', { email })) },
    );
  }

  async function askAndDisable(): Promise<void> {
    const question = { title: t('disableTitle', { email }), message: t('disableText'), confirm: t('disable') };
    if (await confirm(question)) setDisabled(true);
  }

  async function askAndReset(): Promise<void> {
    const question = { title: t('resetTitle', { email }), message: t('resetText'), confirm: t('reset') };
    if (await confirm(question)) reset.mutate({ id });
  }

  async function askAndResetFactor(): Promise<void> {
    const question = {
      title: t('resetFactorTitle', { email }),
      message: t('resetFactorText'),
      confirm: t('resetFactor'),
    };
    if (await confirm(question))
      resetFactor.mutate({ id }, { onSuccess: () => notifyDone(t('factorReset', { email })) });
  }

  return (
    <>
      <RowMenu label={t('menu', { email })}>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={open}>
          {t('editAction')}
        </Menu.Item>
        <Menu.Item leftSection={<MonitorSmartphone size={15} />} onClick={sessions.open}>
          {t('sessions')}
        </Menu.Item>
        {id !== session.user?.id && (
          <>
            <Menu.Item leftSection={<KeyRound size={15} />} onClick={() => void askAndReset()}>
              {t('reset')}
            </Menu.Item>
            {user.secondFactorEnabled && (
              <Menu.Item leftSection={<ShieldOff size={15} />} onClick={() => void askAndResetFactor()}>
                {t('resetFactor')}
              </Menu.Item>
            )}
            {disabled ? (
              <Menu.Item leftSection={<UserCheck size={15} />} onClick={() => setDisabled(false)}>
                {t('enable')}
              </Menu.Item>
            ) : (
              <Menu.Item color="red" leftSection={<UserX size={15} />} onClick={() => void askAndDisable()}>
                {t('disable')}
              </Menu.Item>
            )}
          </>
        )}
      </RowMenu>
      {editing && <UserEdit user={user} onClose={close} />}
      {looking && <UserSessions user={user} onClose={sessions.close} />}
      {reset.data && <PasswordOnce email={email} password={reset.data.password} onClose={reset.reset} />}
    </>
  );
}
