import { Alert, Grid, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type Campaign, CampaignPhase_Value } from '../../../../../gen/laurel/v1/campaign_pb.ts';
import { notifyDone } from '../../../feedback/notify.tsx';
import { FormFailure } from '../../../form/form-failure.tsx';
import { UnsavedChanges } from '../../../form/unsaved-changes.tsx';
import { useApiForm } from '../../../form/use-api-form.ts';
import { usePreferences } from '../../../language/preferences.ts';
import { CampaignBasics } from './campaign-basics.tsx';
import { type CampaignValues, draftOf, newCampaign, valuesOf } from './campaign-values.ts';
import classes from './editor.module.css';
import { EditorBar } from './editor-bar.tsx';
import { FeedPreview } from './feed-preview.tsx';
import { MissionCards } from './mission-cards.tsx';
import { ReachCard } from './reach-card.tsx';
import { useCampaignCheck } from './use-campaign-check.ts';
import { type Folds, useFolds } from './use-folds.ts';
import { useMissing } from './use-missing.ts';

/** Edits a campaign: a new one, or `campaign`. The preview for accounts is beside it, the list of missing fields below. */
export function CampaignEditor(props: {
  readonly campaign?: Campaign;
  /** Reads the campaign as it is stored now. */
  readonly readStored?: () => Promise<Campaign>;
  /** Reads the campaign again after a change by another user, and drops the input. */
  readonly onReload?: () => void;
}) {
  const t = useTranslations('campaigns');
  const { campaign } = props;
  const navigate = useNavigate();
  const folds = useFolds();
  const form = useCampaignForm(campaign, folds.reveal);
  const missing = useMissing(form.form.values, form.faults);
  const { timeZone } = usePreferences();
  const { readStored } = props;
  // Once accounts may have played it, only texts, audiences and the end may change.
  const locked = campaign?.activatedAt !== undefined && campaign.phase !== CampaignPhase_Value.SCHEDULED;

  function goTo(path: string): void {
    folds.reveal([path], form.form.values);
    form.form.getInputNode(path)?.focus();
  }

  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <form onSubmit={form.submit} noValidate className={classes['form']}>
          <Stack gap="md">
            {locked && (
              <Alert color="blue" title={t('lockedTitle')}>
                {t('locked')}
              </Alert>
            )}
            <CampaignBasics form={form.form} folds={folds} locked={locked} />
            <MissionCards form={form.form} folds={folds} locked={locked} />
            <ReachCard values={form.form.values} />
            <EditorBar
              failure={
                <FormFailure
                  form={form}
                  readStored={readStored && (async () => valuesOf(await readStored(), timeZone))}
                  onReadAgain={props.onReload}
                />
              }
              missing={missing}
              onGoTo={goTo}
              submit={t(campaign ? 'save' : 'createDraft')}
              pending={form.pending}
              onCancel={() => void navigate(-1)}
            />
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <FeedPreview missions={form.form.values.missions} />
      </Grid.Col>
      <UnsavedChanges when={form.form.isDirty() && !form.pending} />
    </Grid>
  );
}

function useCampaignForm(campaign: Campaign | undefined, onFaults: Folds['reveal']) {
  const t = useTranslations('campaigns');
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const check = useCampaignCheck();
  const { updateCampaign, createCampaign } = CampaignAdminService.method;
  return useApiForm({
    // Both take the draft in the same field, and answer with the campaign.
    method: (campaign ? updateCampaign : createCampaign) as typeof updateCampaign,
    within: 'campaign',
    initialValues: campaign ? valuesOf(campaign, timeZone) : newCampaign(),
    request: (values: CampaignValues) => ({
      campaign: draftOf(values, timeZone),
      ...(campaign && { id: campaign.id, version: campaign.version }),
    }),
    check,
    onFaults,
    async onDone(answer, { name }) {
      notifyDone(t(campaign ? 'saved' : 'created', { name }));
      await navigate(`/campaigns/${answer.campaign?.id ?? campaign?.id}`);
    },
  });
}
