import { useMutation } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { Ban } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { CredentialAdminService } from '../../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import type { Credential } from '../../../../gen/laurel/admin/v1/credential_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { RowMenu } from '../../table/row-menu.tsx';

/** The actions on a valid key. */
export function KeyActions({ credential: { id, name } }: { readonly credential: Credential }) {
  const t = useTranslations('keys');
  const confirm = useConfirm();
  const revoke = useMutation(CredentialAdminService.method.revokeCredential);

  async function askAndRevoke(): Promise<void> {
    const question = { title: t('revokeTitle', { name }), message: t('revokeText'), confirm: t('revoke') };
    if (!(await confirm(question))) return;
    revoke.mutate({ id }, { onSuccess: () => notifyDone(t('revoked', { name })) });
  }

  return (
    <RowMenu label={t('menu', { name })}>
      <Menu.Item color="red" leftSection={<Ban size={15} />} onClick={() => void askAndRevoke()}>
        {t('revoke')}
      </Menu.Item>
    </RowMenu>
  );
}
