import { useMutation } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { LevelTrackAdminService } from '../../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import type { LevelTrack } from '../../../../gen/laurel/v1/level_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { RowMenu } from '../../table/row-menu.tsx';
import { LevelEdit } from './level-form.tsx';

/** The actions on one level track. */
export function LevelActions({ track }: { readonly track: LevelTrack }) {
  const t = useTranslations('levels');
  const { id, code, version } = track;
  const confirm = useConfirm();
  const [editing, { open, close }] = useDisclosure(false);
  const remove = useMutation(LevelTrackAdminService.method.deleteLevelTrack, { meta: { showsError: true } });

  async function askAndRemove(): Promise<void> {
    const question = {
      title: t('removeTitle', { code }),
      message: t('removeText'),
      confirm: t('remove'),
      destructive: true,
    };
    if (await confirm({ ...question, act: () => remove.mutateAsync({ id, version }) }))
      notifyDone(t('removed', { code }));
  }

  return (
    <>
      <RowMenu label={t('menu', { code })}>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={open}>
          {t('editAction')}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
          {t('remove')}
        </Menu.Item>
      </RowMenu>
      {editing && <LevelEdit track={track} onClose={close} />}
    </>
  );
}
