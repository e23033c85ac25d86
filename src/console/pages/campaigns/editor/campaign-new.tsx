import { useTranslations } from 'use-intl';
import { Page } from '../../../shell/page.tsx';
import { CampaignEditor } from './campaign-editor.tsx';

/** A campaign that is being written. */
export function CampaignNew() {
  const t = useTranslations('campaigns');
  return (
    <Page title={t('create')} description={t('createHint')} back={{ to: '/campaigns', label: t('title') }}>
      <CampaignEditor />
    </Page>
  );
}
