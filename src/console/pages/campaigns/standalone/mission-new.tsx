import { useTranslations } from 'use-intl';
import { Page } from '../../../shell/page.tsx';
import { MissionEditor } from './mission-editor.tsx';

/** A standalone mission that is being written. */
export function MissionNew() {
  const t = useTranslations('campaigns.standalone');
  const back = { to: '/campaigns/missions', label: t('title') };
  return (
    <Page title={t('create')} description={t('createHint')} back={back} width={860}>
      <MissionEditor />
    </Page>
  );
}
