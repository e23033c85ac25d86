import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  Ban,
  CirclePlay,
  ChevronDown,
  Download,
  Eraser,
  Gift,
  KeyRound,
  Merge,
  Pencil,
  Trash2,
  Undo2,
  UsersRound,
} from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import {
  AccountAdminService,
  ResumeAccountRequest_Events as Events,
} from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Account } from '../../../../gen/laurel/v1/account_pb.ts';
import { download } from '../../api/download.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ReasonDialog } from '../../form/reason-dialog.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import { ChangeAudiences } from './change-audiences.tsx';
import { EditAccount } from './edit-account.tsx';
import { GrantReward } from './grant-reward.tsx';
import { MergeAccount } from './merge-account.tsx';
import { TakeBackEvents } from './take-back-events.tsx';

type Action =
  | 'grant'
  | 'edit'
  | 'audiences'
  | 'merge'
  | 'takeBack'
  | 'revokeTokens'
  | 'suspend'
  | 'resume'
  | 'drop'
  | 'delete'
  | 'erase';

/** Support's actions on an account, apart from those on its rows. */
export function AccountActions({ account }: { readonly account: Account }) {
  const t = useTranslations('support');
  const navigate = useNavigate();
  const [action, setAction] = useState<Action>();
  const close = () => setAction(undefined);
  const keeper = useSessionKeeper();
  const fetching = useMutation({
    mutationFn: () => download(keeper, `/admin/accounts/${account.id}/export.json`, 'account.json'),
    onSuccess: () => notifyDone(t('export.done')),
  });
  const item = (name: Action, icon: React.ReactNode, color?: string) => (
    <Menu.Item color={color} leftSection={icon} onClick={() => setAction(name)}>
      {t(`${name}.name`)}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={16} />} loading={fetching.isPending}>
            {t('actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {item('grant', <Gift size={15} />)}
          {item('audiences', <UsersRound size={15} />)}
          {item('edit', <Pencil size={15} />)}
          <Menu.Item leftSection={<Download size={15} />} onClick={() => fetching.mutate()}>
            {t('export.name')}
          </Menu.Item>
          <Allowed to={Permission.MERGE_ACCOUNTS}>{item('merge', <Merge size={15} />)}</Allowed>
          <Menu.Divider />
          {item('takeBack', <Undo2 size={15} />, 'red')}
          {item('revokeTokens', <KeyRound size={15} />, 'red')}
          {account.suspendedAt === undefined && item('suspend', <Ban size={15} />, 'red')}
          {account.suspendedAt !== undefined && item('resume', <CirclePlay size={15} />)}
          {account.suspendedAt !== undefined && item('drop', <CirclePlay size={15} />, 'red')}
          {item('delete', <Trash2 size={15} />, 'red')}
          {item('erase', <Eraser size={15} />, 'red')}
        </Menu.Dropdown>
      </Menu>
      {action === 'grant' && <GrantReward accountId={account.id} onClose={close} />}
      {action === 'edit' && <EditAccount account={account} onClose={close} />}
      {action === 'audiences' && <ChangeAudiences accountId={account.id} onClose={close} />}
      {action === 'merge' && <MergeAccount account={account} onClose={close} />}
      {action === 'takeBack' && <TakeBackEvents accountId={account.id} onClose={close} />}
      {action === 'revokeTokens' && (
        <ReasonDialog
          method={AccountAdminService.method.revokeTokensOfAccount}
          input={{ accountId: account.id }}
          title={t('revokeTokens.title')}
          hint={t('revokeTokens.hint')}
          submit={t('revokeTokens.name')}
          done={t('revokeTokens.done')}
          destructive
          onClose={close}
        />
      )}
      {action === 'suspend' && (
        <ReasonDialog
          method={AccountAdminService.method.suspendAccount}
          input={{ accountId: account.id }}
          title={t('suspend.title')}
          hint={t('suspend.hint')}
          submit={t('suspend.name')}
          done={t('suspend.done')}
          destructive
          onClose={close}
        />
      )}
      {(action === 'resume' || action === 'drop') && (
        <ReasonDialog
          method={AccountAdminService.method.resumeAccount}
          input={{ accountId: account.id, events: action === 'drop' ? Events.DROP : Events.APPLY }}
          title={t(`${action}.title`)}
          hint={t(`${action}.hint`)}
          submit={t(`${action}.name`)}
          done={t(`${action}.done`)}
          destructive={action === 'drop'}
          onClose={close}
        />
      )}
      {(action === 'delete' || action === 'erase') && (
        <ReasonDialog
          method={AccountAdminService.method.removeAccount}
          input={{ accountId: account.id, erase: action === 'erase' }}
          title={t(`${action}.title`)}
          hint={t(`${action}.hint`)}
          submit={t(`${action}.name`)}
          done={t(`${action}.done`)}
          destructive
          {...(action === 'erase' && { typed: account.externalId ?? account.id })}
          onClose={close}
          onDone={() => void navigate('/accounts', { replace: true })}
        />
      )}
    </>
  );
}
