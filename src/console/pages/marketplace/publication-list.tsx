import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Store } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';
import { PublicationForm } from './publication-form.tsx';
import { PublicationTable } from './publication-table.tsx';

/** The publications of the client in every state, by name. */
export function PublicationList() {
  const t = useTranslations('marketplace');
  const [creating, { open, close }] = useDisclosure(false);
  const button = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <MarketplacePages />
      <PublicationTable empty={<EmptyState icon={Store} title={t('empty')} hint={t('emptyHint')} action={button} />} />
      {creating && <PublicationForm onClose={close} />}
    </Page>
  );
}
