import { Store } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ListPage } from '../../shell/list-page.tsx';
import { MarketplacePages } from './marketplace-pages.tsx';
import { PublicationForm } from './publication-form.tsx';
import { PublicationTable } from './publication-table.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The publications of the client in every state, by name. */
export function PublicationList() {
  const t = useTranslations('marketplace');
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      pages={<MarketplacePages />}
      create={t('create')}
      needs={Permission.KEEP_REWARDS}
      form={PublicationForm}
      empty={{ icon: Store, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => <PublicationTable empty={empty} />}
    />
  );
}
