import { Boxes } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { useArchivable } from '../../names/use-archivable.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ProductForm } from './product-form.tsx';
import { ProductStock } from './product-stock.tsx';
import { stockModeName, stockModes } from './stock-modes.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The products of the client, by name, with the units that are left. */
export function ProductList() {
  const t = useTranslations('products');
  const format = useFormatter();
  const archivable = useArchivable();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_REWARDS}
      form={ProductForm}
      empty={{ icon: Boxes, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="products"
          label={t('title')}
          method={ProductAdminService.method.listProducts}
          rowKey={({ id }) => id}
          rowPath={({ id }) => `/products/${id}`}
          filters={[
            {
              field: 'stockMode',
              label: t('stockMode'),
              options: stockModes.map((value) => ({ value, label: t(`stockModes.${value}`) })),
            },
            { field: 'waiting', label: t('demand'), options: [{ value: 'true', label: t('rewardsWait') }] },
            archivable.filter,
          ]}
          columns={[
            { key: 'name', render: archivable.renderName },
            {
              key: 'stockMode',
              title: t('stockMode'),
              render: ({ stockMode }) => t(`stockModes.${stockModeName(stockMode)}`),
            },
            {
              key: 'stock',
              title: t('stock'),
              align: 'right',
              render: (product) => <ProductStock product={product} justify="flex-end" />,
            },
            {
              key: 'pointsCost',
              align: 'right',
              render: ({ pointsCost }) => (pointsCost === undefined ? '–' : format.number(pointsCost, 'amount')),
            },
            {
              key: 'fragmentsRequired',
              title: t('fragmentsRequired'),
              align: 'right',
              wideOnly: true,
              render: ({ fragmentsRequired }) =>
                fragmentsRequired === undefined ? '–' : format.number(fragmentsRequired),
            },
          ]}
          empty={empty}
        />
      )}
    />
  );
}
