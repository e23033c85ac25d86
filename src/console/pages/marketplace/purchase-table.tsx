import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge } from '@mantine/core';
import { ShoppingBag } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type Purchase,
  PublicationAdminService,
} from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { Redemption_Status } from '../../../../gen/laurel/v1/redemption_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { RevealableCodes } from '../../names/revealable-code.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ExportButton } from '../../table/export-button.tsx';
import { filterOf } from '../../table/filter-of.ts';

/** The purchases of one publication or of all, latest first, with masked codes. */
export function PurchaseTable({ publicationId }: { readonly publicationId?: string }) {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  return (
    <DataTable
      id={publicationId === undefined ? 'purchases' : 'publication-purchases'}
      secondary={publicationId !== undefined}
      label={t('purchases')}
      method={PublicationAdminService.method.listPurchases}
      where={{ publicationId: publicationId === undefined ? undefined : [publicationId] }}
      beside={({ filters, ...asked }) => (
        <ExportButton
          path="/admin/exports/redemptions.csv"
          fileName="purchases.csv"
          asked={{ ...asked, filters: { filters: [...purchased, ...(filters.filters ?? []).map(asRedemption)] } }}
        >
          {t('exportWhole')}
        </ExportButton>
      )}
      rowKey={({ redemption }) => redemption?.id ?? ''}
      filters={[
        {
          field: 'status',
          options: (['COMPLETED', 'CANCELLED'] as const).map((value) => ({
            value,
            label: t(`purchaseStatuses.${value}`),
          })),
        },
      ]}
      columns={[
        {
          key: 'account',
          render: ({ redemption }) => <NameLink kind="account" id={redemption?.account?.id} />,
        },
        ...(publicationId === undefined
          ? [
              {
                key: 'publication' as const,
                render: (row: Purchase) => <NameLink kind="publication" id={row.publicationId} />,
              },
            ]
          : []),
        {
          key: 'quantity',
          title: t('units'),
          align: 'right',
          render: ({ redemption }) => format.number(redemption?.quantity ?? 0),
        },
        {
          key: 'points',
          title: t('paid'),
          align: 'right',
          render: ({ redemption }) => format.number(redemption?.pointsSpent ?? 0, 'amount'),
        },
        {
          key: 'codes',
          wideOnly: true,
          render: ({ redemption }) => <RevealableCodes codes={redemption?.redeemables ?? []} />,
        },
        {
          key: 'status',
          render: ({ redemption }) =>
            redemption?.status === Redemption_Status.CANCELLED ? (
              <Badge color="gray">{t('purchaseStatuses.CANCELLED')}</Badge>
            ) : (
              <Badge>{t('purchaseStatuses.COMPLETED')}</Badge>
            ),
        },
        {
          key: 'createdAt',
          title: t('boughtAt'),
          render: ({ redemption }) =>
            redemption?.createdAt && format.dateTime(timestampDate(redemption.createdAt), 'moment'),
        },
      ]}
      empty={<EmptyState icon={ShoppingBag} title={t('noPurchases')} hint={t('noPurchasesHint')} />}
    />
  );
}

/** The filter of the export of redemptions for purchases of the marketplace. */
const purchased = filterOf({ source: ['MARKETPLACE'] }).filters ?? [];

/** A redemption calls the publication that it came from its source. */
function asRedemption<Condition extends { readonly field?: string }>(condition: Condition): Condition {
  return condition.field === 'publicationId' ? { ...condition, field: 'sourceId' } : condition;
}
