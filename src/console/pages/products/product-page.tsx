import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Alert, Card, Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type GetProductOutlookResponse_Rate,
  ProductAdminService,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Product } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { ProductActions } from './product-actions.tsx';
import { PendingRewards } from './pending-rewards.tsx';
import { ProductCodes } from './product-codes.tsx';
import { ProductRedemptions } from './product-redemptions.tsx';
import { PublicationTable } from '../marketplace/publication-table.tsx';
import { ProductStock } from './product-stock.tsx';
import { stockModeName } from './stock-modes.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One product: its stock, its pending rewards and its codes. */
export function ProductPage() {
  const t = useTranslations('products');
  const leads = useTranslations('leads');
  const { id = '' } = useParams();
  const query = useQuery(ProductAdminService.method.getProduct, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/products', label: t('title') };
  if (error !== null) return <PageFailure title={t('title')} back={back} error={error} retry={() => void refetch()} />;
  if (data?.product === undefined) return <PageSkeleton />;
  const { product } = data;
  const mode = stockModeName(product.stockMode);
  return (
    <Page
      title={product.name}
      id={id}
      back={back}
      actions={
        <Allowed to={Permission.KEEP_REWARDS}>
          <ProductActions product={product} />
        </Allowed>
      }
    >
      {product.archivedAt !== undefined && <Alert color="gray">{t('archivedHint')}</Alert>}
      {product.free === 0 && product.stock !== 0 && (
        <Alert color="yellow">{t('noneFreeHint', { count: product.allocated ?? 0 })}</Alert>
      )}
      {product.waiting > 0 && (
        <Alert color="yellow" title={t('waitingTitle', { count: product.waiting })}>
          {t(mode === 'CODES' ? 'waitingForCodes' : 'waitingForUnits')}
        </Alert>
      )}
      <Card>
        <Stack gap="md">
          {product.description !== '' && <Text size="sm">{product.description}</Text>}
          <ProductFacts product={product} />
        </Stack>
      </Card>
      {product.waiting > 0 && <PendingRewards productId={product.id} />}
      {(product.allocated ?? 0) > 0 && (
        <Stack gap="sm" component="section">
          <Title order={2}>{leads('allocatedTitle')}</Title>
          <PublicationTable productId={product.id} empty={<Text p="md">{leads('noUnits')}</Text>} />
        </Stack>
      )}
      <ProductRedemptions productId={product.id} />
      {mode === 'CODES' && <ProductCodes product={product} />}
    </Page>
  );
}

function ProductFacts({ product }: { readonly product: Product }) {
  const t = useTranslations('products');
  const format = useFormatter();
  const { id, stock, allocated = 0, free = 0, pointsCost, fragmentsRequired, items, createdAt } = product;
  const outlook = useQuery(ProductAdminService.method.getProductOutlook, { id }).data;
  const mode = stockModeName(product.stockMode);
  return (
    <Facts
      facts={[
        [t('stock'), <ProductStock key="stock" product={product} />],
        ...(stock === undefined
          ? []
          : [[t('allocated'), format.number(allocated)] as const, [t('free'), format.number(free)] as const]),
        [t('takenDay'), outlook?.day && <RateFact key="day" rate={outlook.day} />],
        [t('takenWeek'), outlook?.week && <RateFact key="week" rate={outlook.week} />],
        [t('stockMode'), t(`stockModes.${mode}`)],
        [t('pointsCost'), pointsCost === undefined ? undefined : format.number(pointsCost, 'amount')],
        [t('fragmentsRequired'), fragmentsRequired === undefined ? undefined : format.number(fragmentsRequired)],
        ...(mode === 'CODES' ? [[t('itemNames'), items.map(({ name }) => name).join(', ')] as const] : []),
        [t('createdAt'), createdAt && format.dateTime(timestampDate(createdAt), 'moment')],
      ]}
    />
  );
}

/** The units taken in some time, and the day on which none is left at this rate. */
function RateFact({ rate }: { readonly rate: GetProductOutlookResponse_Rate }) {
  const t = useTranslations('products');
  const format = useFormatter();
  const taken = t('unitsTaken', { count: rate.unitsTaken });
  if (rate.soldOutAt === undefined) return <Text inherit>{taken}</Text>;
  const date = format.dateTime(timestampDate(rate.soldOutAt), 'day');
  return <Text inherit>{t('soldOutOn', { taken, date })}</Text>;
}
