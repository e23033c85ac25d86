import { useTranslations } from 'use-intl';
import { Page } from '../../shell/page.tsx';

/** What happened lately, and what there is. */
export function Overview() {
  const t = useTranslations('overview');
  return <Page title={t('title')}>{null}</Page>;
}
