import { createClient } from '@connectrpc/connect';
import { useMutation, useTransport } from '@connectrpc/connect-query';
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Archive, Pencil } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Reward } from '../../../../gen/laurel/v1/reward_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useAskUnlessUsed } from '../../feedback/use-ask-unless-used.tsx';
import { ActionRow } from '../../shell/action-row.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { RewardEdit } from './reward-edit.tsx';

/** The actions on one reward: in the menu of its row, or above its own page, where the most frequent one is a button. */
export function RewardActions({ reward, inRow = false }: { readonly reward: Reward; readonly inRow?: boolean }) {
  const t = useTranslations('rewards');
  const askUnlessUsed = useAskUnlessUsed();
  const client = createClient(RewardAdminService, useTransport());
  const [editing, { open, close }] = useDisclosure(false);
  const archive = useMutation(RewardAdminService.method.archiveReward, { meta: { showsError: true } });
  const { id, name, archivedAt, version } = reward;

  async function askAndArchive(): Promise<void> {
    const question = { title: t('archiveTitle', { name }), message: t('archiveText'), confirm: t('archive') };
    const readUses = async () => (await client.getReward({ id })).uses;
    const act = () => archive.mutateAsync({ id, version });
    if (await askUnlessUsed(readUses, name, { ...question, act })) notifyDone(t('archived', { name }));
  }

  if (archivedAt !== undefined) return null;
  return (
    <>
      <ActionRow
        menu={
          <RowMenu label={t('menu', { name })}>
            {inRow && (
              <Menu.Item leftSection={<Pencil size={15} />} onClick={open}>
                {t('edit')}
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<Archive size={15} />} onClick={() => void askAndArchive()}>
              {t('archive')}
            </Menu.Item>
          </RowMenu>
        }
      >
        {!inRow && (
          <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={open}>
            {t('edit')}
          </Button>
        )}
      </ActionRow>
      {editing && <RewardEdit reward={reward} onClose={close} />}
    </>
  );
}
