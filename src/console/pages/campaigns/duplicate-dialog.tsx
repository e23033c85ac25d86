import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Campaign } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

/** Copies a campaign into a draft with another name, and opens it. */
export function DuplicateDialog({ campaign, onClose }: { readonly campaign: Campaign; readonly onClose: () => void }) {
  const t = useTranslations('campaigns');
  const navigate = useNavigate();
  const form = useApiForm({
    method: CampaignAdminService.method.duplicateCampaign,
    initialValues: { name: t('copyName', { name: campaign.name }).slice(0, 255) },
    request: ({ name }) => ({ id: campaign.id, name }),
    async onDone(answer, { name }) {
      notifyDone(t('duplicated', { name }));
      onClose();
      await navigate(`/campaigns/${answer.campaign?.id}`);
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t('duplicateTitle', { name: campaign.name })}>
      <ApiForm form={form} submit={t('duplicate')} onCancel={onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...form.form.getInputProps('name')} />
      </ApiForm>
    </FormDialog>
  );
}
