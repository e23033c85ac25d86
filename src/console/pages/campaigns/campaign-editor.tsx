import { Alert, Button, Grid } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Campaign } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { failureOf } from '../../api/failure.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { UnsavedChanges } from '../../form/unsaved-changes.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { usePreferences } from '../../language/preferences.ts';
import { CampaignBasics } from './campaign-basics.tsx';
import { type CampaignValues, draftOf, newCampaign, valuesOf } from './campaign-values.ts';
import { FeedPreview } from './feed-preview.tsx';
import { MissionCards } from './mission-cards.tsx';
import { useCampaignCheck } from './use-campaign-check.ts';

/** Writes a campaign: a new one, or `campaign` again. Beside it stands what accounts will see. */
export function CampaignEditor(props: {
  readonly campaign?: Campaign;
  /** Reads the campaign again, after somebody else changed it. */
  readonly onReload?: () => void;
}) {
  const t = useTranslations('campaigns');
  const { campaign } = props;
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const check = useCampaignCheck();
  const { updateCampaign, createCampaign } = CampaignAdminService.method;
  const form = useApiForm({
    // Both take the draft in the same field, and answer with the campaign.
    method: (campaign ? updateCampaign : createCampaign) as typeof updateCampaign,
    within: 'campaign',
    initialValues: campaign ? valuesOf(campaign, timeZone) : newCampaign(),
    request: (values: CampaignValues) => ({
      campaign: draftOf(values, timeZone),
      ...(campaign && { id: campaign.id, version: campaign.version }),
    }),
    check,
    async onDone(answer, { name }) {
      notifyDone(t(campaign ? 'saved' : 'created', { name }));
      await navigate(`/campaigns/${answer.campaign?.id ?? campaign?.id}`);
    },
  });
  // Once accounts have played it, only texts and the end may change.
  const locked = campaign?.activatedAt !== undefined;
  const conflict = form.failure !== undefined && failureOf(form.failure).code === 'VERSION_CONFLICT';

  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <ApiForm form={form} submit={t(campaign ? 'save' : 'createDraft')} onCancel={() => void navigate(-1)}>
          {locked && (
            <Alert color="blue" title={t('lockedTitle')}>
              {t('locked')}
            </Alert>
          )}
          <CampaignBasics form={form.form} locked={locked} />
          <MissionCards form={form.form} locked={locked} />
          {conflict && (
            <Button variant="default" onClick={props.onReload}>
              {t('readAgain')}
            </Button>
          )}
        </ApiForm>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <FeedPreview missions={form.form.values.missions} />
      </Grid.Col>
      <UnsavedChanges when={form.form.isDirty() && !form.pending} />
    </Grid>
  );
}
