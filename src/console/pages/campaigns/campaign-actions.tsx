import { useMutation } from '@connectrpc/connect-query';
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleStop, Copy, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type Campaign, Campaign_Status, CampaignPhase_Value } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { ActionRow } from '../../shell/action-row.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { ActivateDialog } from './activate-dialog.tsx';
import { DuplicateDialog } from './duplicate-dialog.tsx';

/** The dialog itself shows the failure. */
const showsError = { meta: { showsError: true } };

/** The actions on a campaign in the state that this page shows; changes by others are read first. */
export function CampaignActions({ campaign }: { readonly campaign: Campaign }) {
  const t = useTranslations('campaigns');
  const { id, name, status, phase, version } = campaign;
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { pauseCampaign, endCampaign, deleteCampaign } = CampaignAdminService.method;
  const pause = useMutation(pauseCampaign, showsError);
  const end = useMutation(endCampaign, showsError);
  const remove = useMutation(deleteCampaign, showsError);
  const [activating, activate] = useDisclosure(false);
  const [duplicating, duplicate] = useDisclosure(false);
  const isDraft = status === Campaign_Status.DRAFT;
  const isActive = status === Campaign_Status.ACTIVE;
  const isEnded = status === Campaign_Status.ENDED;
  // After its end it can be ended for good, or continue with a later end; a pause or activation would have no effect.
  const isFinished = phase === CampaignPhase_Value.FINISHED;

  async function askAndPause(): Promise<void> {
    const question = { title: t('pauseTitle', { name }), message: t('pauseText'), confirm: t('pause') };
    const act = () => pause.mutateAsync({ id, version });
    if (await confirm({ ...question, destructive: false, act })) notifyDone(t('paused', { name }));
  }

  async function askAndEnd(): Promise<void> {
    const question = { title: t('endTitle', { name }), message: t('endText'), confirm: t('end') };
    const act = () => end.mutateAsync({ id, version });
    if (await confirm({ ...question, act })) notifyDone(t('ended', { name }));
  }

  async function askAndRemove(): Promise<void> {
    const question = { title: t('removeTitle', { name }), message: t('removeText'), confirm: t('remove') };
    // Away first: the page of a campaign that is gone would only say so.
    const act = () => remove.mutateAsync({ id, version }, { onSuccess: () => void navigate('/campaigns') });
    if (await confirm({ ...question, act })) notifyDone(t('removed', { name }));
  }

  return (
    <>
      <ActionRow
        main={
          !isActive &&
          !isFinished && (
            <Button leftSection={<Play size={16} />} onClick={activate.open}>
              {t(isDraft ? 'activate' : 'resume')}
            </Button>
          )
        }
        menu={
          <RowMenu label={t('more')}>
            <Menu.Item leftSection={<Copy size={15} />} onClick={duplicate.open}>
              {t('duplicate')}
            </Menu.Item>
            {!isDraft && !isEnded && (
              <Menu.Item color="red" leftSection={<CircleStop size={15} />} onClick={() => void askAndEnd()}>
                {t('end')}
              </Menu.Item>
            )}
            {isDraft && (
              <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
                {t('remove')}
              </Menu.Item>
            )}
          </RowMenu>
        }
      >
        {!isEnded && (
          <Button component={Link} to={`/campaigns/${id}/edit`} variant="default" leftSection={<Pencil size={16} />}>
            {t('editAction')}
          </Button>
        )}
        {isActive && !isFinished && (
          <Button
            variant="default"
            leftSection={<Pause size={16} />}
            loading={pause.isPending}
            onClick={() => void askAndPause()}
          >
            {t('pause')}
          </Button>
        )}
      </ActionRow>
      {activating && <ActivateDialog campaign={campaign} onClose={activate.close} />}
      {duplicating && <DuplicateDialog campaign={campaign} onClose={duplicate.close} />}
    </>
  );
}
