import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Alert, Card, Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import {
  type Publication,
  Publication_PauseReason,
  Publication_Status,
} from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { NameLink } from '../../names/name-link.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { AvailableStock } from './available-stock.tsx';
import { PublicationActions } from './publication-actions.tsx';
import { PublicationStatus } from './publication-status.tsx';
import { PurchaseTable } from './purchase-table.tsx';
import { ReservationTable } from './reservation-table.tsx';
import { sellable } from './sellable.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One publication: its offer, reservations and purchases. */
export function PublicationPage() {
  const t = useTranslations('marketplace');
  const { id = '' } = useParams();
  const query = useQuery(PublicationAdminService.method.getPublication, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/marketplace', label: t('publications') };
  if (error !== null)
    return <PageFailure title={t('publications')} back={back} error={error} retry={() => void refetch()} />;
  if (data?.publication === undefined) return <PageSkeleton />;
  const { publication } = data;
  return (
    <Page
      title={publication.name}
      id={id}
      back={back}
      actions={
        <Allowed to={Permission.KEEP_REWARDS}>
          <PublicationActions publication={publication} />
        </Allowed>
      }
    >
      <SoldOut publication={publication} />
      <Card>
        <Stack gap="md">
          {publication.description !== '' && <Text size="sm">{publication.description}</Text>}
          <PublicationFacts publication={publication} />
        </Stack>
      </Card>
      <Stack gap="sm" component="section">
        <Title order={2}>{t('reservations')}</Title>
        <ReservationTable publicationId={id} />
      </Stack>
      <Stack gap="sm" component="section">
        <Title order={2}>{t('purchases')}</Title>
        <PurchaseTable publicationId={id} />
      </Stack>
    </Page>
  );
}

/** Added units do not publish it: shows the next step. */
function SoldOut({ publication }: { readonly publication: Publication }) {
  const t = useTranslations('marketplace');
  const { status, pauseReason, availableStock } = publication;
  const wasSoldOut =
    pauseReason === Publication_PauseReason.PUBLICATION_OUT_OF_STOCK ||
    pauseReason === Publication_PauseReason.AGREEMENT_OUT_OF_STOCK;
  if (sellable(publication) > 0) {
    const ready = wasSoldOut && status !== Publication_Status.PUBLISHED_ON_MARKETPLACE;
    return ready && <Alert color="yellow">{t('readyHint')}</Alert>;
  }
  if (status === Publication_Status.PUBLISHED_ON_MARKETPLACE)
    return <Alert color="yellow">{t('nothingLeftHint')}</Alert>;
  if (availableStock > 0) return <Alert color="yellow">{t('agreementSoldOutHint')}</Alert>;
  return <Alert color="yellow">{t(wasSoldOut ? 'soldOutHint' : 'noUnitsHint')}</Alert>;
}

function PublicationFacts({ publication }: { readonly publication: Publication }) {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  const { productId, agreementId, pointsCost, createdAt } = publication;
  return (
    <Facts
      facts={[
        [t('status'), <PublicationStatus key="status" publication={publication} />],
        [t('available'), <AvailableStock key="stock" {...publication} />],
        [t('pointsCost'), pointsCost === undefined ? undefined : format.number(pointsCost, 'amount')],
        [t('product'), <NameLink key="product" kind="product" id={productId} />],
        [t('agreement'), <NameLink key="agreement" kind="agreement" id={agreementId} />],
        [t('createdAt'), createdAt && format.dateTime(timestampDate(createdAt), 'moment')],
      ]}
    />
  );
}
