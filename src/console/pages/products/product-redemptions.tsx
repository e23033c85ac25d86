import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Stack, Title } from '@mantine/core';
import { PackageOpen } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { Redemption_Source, Redemption_Status } from '../../../../gen/laurel/v1/redemption_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { RevealableCodes } from '../../names/revealable-code.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ExportButton } from '../../table/export-button.tsx';

/** Where the units of a product went, latest first, the codes masked. */
export function ProductRedemptions({ productId }: { readonly productId: string }) {
  const t = useTranslations('leads');
  const accounts = useTranslations('accounts');
  const format = useFormatter();
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{t('unitsTitle')}</Title>
      <DataTable
        id="product-redemptions"
        secondary
        label={t('unitsTitle')}
        method={ProductAdminService.method.listProductRedemptions}
        input={{ productId }}
        beside={(asked) => (
          <ExportButton
            path="/admin/exports/redemptions.csv"
            fileName="redemptions.csv"
            asked={asked}
            input={{ productId }}
          >
            {t('exportWhole')}
          </ExportButton>
        )}
        rowKey={({ id }) => id}
        filters={[
          {
            field: 'source',
            label: t('source'),
            options: (['REWARD', 'FRAGMENTS', 'LOYALTY', 'MARKETPLACE'] as const).map((value) => ({
              value,
              label: accounts(`sources.${value}`),
            })),
          },
          {
            field: 'status',
            options: [
              { value: 'COMPLETED', label: accounts('taken') },
              { value: 'CANCELLED', label: accounts('cancelled') },
            ],
          },
        ]}
        columns={[
          { key: 'account', render: ({ account }) => <NameLink kind="account" id={account?.id} /> },
          {
            key: 'source',
            title: t('source'),
            render: ({ source }) => accounts(`sources.${enumName(Redemption_Source, source)}`),
          },
          {
            key: 'quantity',
            title: accounts('quantity'),
            align: 'right',
            render: ({ quantity }) => format.number(quantity),
          },
          { key: 'codes', wideOnly: true, render: ({ redeemables }) => <RevealableCodes codes={redeemables} /> },
          {
            key: 'status',
            render: ({ status }) =>
              status === Redemption_Status.CANCELLED ? (
                <Badge color="gray">{accounts('cancelled')}</Badge>
              ) : (
                <Badge>{accounts('taken')}</Badge>
              ),
          },
          {
            key: 'createdAt',
            title: t('at'),
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          },
        ]}
        empty={<EmptyState icon={PackageOpen} title={t('noUnits')} hint={t('noUnitsHint')} />}
      />
    </Stack>
  );
}
