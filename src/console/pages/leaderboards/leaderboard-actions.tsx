import { useMutation } from '@connectrpc/connect-query';
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleStop, Pencil, Play, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import {
  LeaderboardAdminService,
  type LeaderboardDefinition,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { Leaderboard_Status } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { ActionRow } from '../../shell/action-row.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { LeaderboardEdit } from './leaderboard-form.tsx';

/** The dialog itself shows the failure. */
const showsError = { meta: { showsError: true } };

/** The actions on a leaderboard in the state that this page shows. */
export function LeaderboardActions({ board }: { readonly board: LeaderboardDefinition }) {
  const t = useTranslations('leaderboards');
  const { id, name, status, version } = board;
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [editing, { open, close }] = useDisclosure(false);
  const { activateLeaderboard, endLeaderboard, deleteLeaderboard } = LeaderboardAdminService.method;
  const activate = useMutation(activateLeaderboard, showsError);
  const end = useMutation(endLeaderboard, showsError);
  const remove = useMutation(deleteLeaderboard, showsError);
  const isDraft = status === Leaderboard_Status.DRAFT;
  const isActive = status === Leaderboard_Status.ACTIVE;

  async function askAndActivate(): Promise<void> {
    const question = { title: t('activateTitle', { name }), message: t('activateText'), confirm: t('activate') };
    const act = () => activate.mutateAsync({ id, version });
    if (await confirm({ ...question, destructive: false, act })) notifyDone(t('activated', { name }));
  }

  async function askAndEnd(): Promise<void> {
    const question = { title: t('endTitle', { name }), message: t('endText'), confirm: t('end') };
    const act = () => end.mutateAsync({ id, version });
    if (await confirm({ ...question, act })) notifyDone(t('ended', { name }));
  }

  async function askAndRemove(): Promise<void> {
    const message = t(isDraft ? 'removeDraftText' : 'removeText');
    const question = { title: t('removeTitle', { name }), message, confirm: t('remove') };
    // Away first: the page of a leaderboard that is gone would only say so.
    const act = () => remove.mutateAsync({ id, version }, { onSuccess: () => void navigate('/leaderboards') });
    if (await confirm({ ...question, act })) notifyDone(t('removed', { name }));
  }

  return (
    <>
      <ActionRow
        main={
          isDraft && (
            <Button leftSection={<Play size={16} aria-hidden />} onClick={() => void askAndActivate()}>
              {t('activate')}
            </Button>
          )
        }
        menu={
          <RowMenu label={t('menu', { name })}>
            {isActive ? (
              <Menu.Item color="red" leftSection={<CircleStop size={15} />} onClick={() => void askAndEnd()}>
                {t('end')}
              </Menu.Item>
            ) : (
              <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
                {t('remove')}
              </Menu.Item>
            )}
          </RowMenu>
        }
      >
        <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={open}>
          {t('editAction')}
        </Button>
      </ActionRow>
      {editing && <LeaderboardEdit board={board} onClose={close} />}
    </>
  );
}
