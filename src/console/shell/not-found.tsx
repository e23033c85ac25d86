import { Button } from '@mantine/core';
import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Page } from './page.tsx';

/** An address that is no page. */
export function NotFound() {
  const t = useTranslations('shell');
  return (
    <Page title={t('notFound')}>
      <EmptyState
        icon={Compass}
        hint={t('notFoundHint')}
        action={
          <Button component={Link} to="/">
            {t('toOverview')}
          </Button>
        }
      />
    </Page>
  );
}
