import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Card, Group, Stack, Title } from '@mantine/core';
import { Pencil, Plus, Store } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { AgreementAdminService } from '../../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { RenameDialog } from '../../form/rename-dialog.tsx';
import { UnitsDialog } from '../../form/units-dialog.tsx';
import { Facts } from '../../shell/facts.tsx';
import { ActionRow } from '../../shell/action-row.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { AvailableStock } from './available-stock.tsx';
import { PublicationForm } from './publication-form.tsx';
import { PublicationTable } from './publication-table.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One agreement: its stock, and the publications that share it. */
export function AgreementPage() {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  const { id = '' } = useParams();
  const [dialog, setDialog] = useState<'rename' | 'stock' | 'publication'>();
  const query = useQuery(AgreementAdminService.method.getAgreement, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/marketplace/agreements', label: t('agreements') };
  if (error !== null)
    return <PageFailure title={t('agreements')} back={back} error={error} retry={() => void refetch()} />;
  if (data?.agreement === undefined) return <PageSkeleton />;
  const { agreement } = data;
  const { name, updatedAt } = agreement;
  const close = () => setDialog(undefined);
  const publishButton = (
    <Allowed to={Permission.KEEP_REWARDS}>
      <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('publication')}>
        {t('create')}
      </Button>
    </Allowed>
  );
  const actions = (
    <ActionRow
      main={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('stock')}>
          {t('addStock')}
        </Button>
      }
    >
      <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog('rename')}>
        {t('rename')}
      </Button>
    </ActionRow>
  );
  return (
    <Page title={name} id={id} back={back} actions={<Allowed to={Permission.KEEP_REWARDS}>{actions}</Allowed>}>
      <Card>
        <Facts
          facts={[
            [t('available'), <AvailableStock key="stock" {...agreement} />],
            [t('updatedAt'), updatedAt && format.dateTime(timestampDate(updatedAt), 'moment')],
          ]}
        />
      </Card>
      <Stack gap="sm" component="section">
        <Group justify="space-between">
          <Title order={2}>{t('publications')}</Title>
          {publishButton}
        </Group>
        <PublicationTable
          agreementId={id}
          empty={<EmptyState icon={Store} title={t('noneOfAgreement')} hint={t('noneOfAgreementHint')} />}
        />
      </Stack>
      {dialog === 'publication' && <PublicationForm agreementId={id} onClose={close} />}
      {dialog === 'rename' && (
        <RenameDialog
          method={AgreementAdminService.method.updateAgreement}
          resource={agreement}
          title={t('renameTitle', { name })}
          done={t('renamed')}
          onClose={close}
        />
      )}
      {dialog === 'stock' && (
        <UnitsDialog
          method={AgreementAdminService.method.addAgreementStock}
          id={id}
          title={t('addStockTo', { name })}
          hint={t('addStockHint')}
          onDone={(_answer, count) => notifyDone(t('stockAdded', { count }))}
          onClose={close}
        />
      )}
    </Page>
  );
}
