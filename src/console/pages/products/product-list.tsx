import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Boxes, Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ProductForm } from './product-form.tsx';
import { ProductStock } from './product-stock.tsx';
import { stockModeName, stockModes } from './stock-modes.ts';

/** The products of the client, by name, with the units that are left. */
export function ProductList() {
  const t = useTranslations('products');
  const format = useFormatter();
  const [creating, { open, close }] = useDisclosure(false);
  const button = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <DataTable
        id="products"
        label={t('title')}
        method={ProductAdminService.method.listProducts}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `/products/${id}`}
        filters={[
          { field: 'name', label: t('name') },
          {
            field: 'stockMode',
            label: t('stockMode'),
            options: stockModes.map((value) => ({ value, label: t(`stockModes.${value}`) })),
          },
          { field: 'includeDeleted', label: t('inUse'), options: [{ value: 'true', label: t('withArchived') }] },
        ]}
        columns={[
          {
            key: 'name',
            title: t('name'),
            render: ({ name, archivedAt }) => (
              <Group gap="xs" component="span">
                {name}
                {archivedAt !== undefined && <Badge color="gray">{t('archivedBadge')}</Badge>}
              </Group>
            ),
          },
          {
            key: 'stockMode',
            title: t('stockMode'),
            render: ({ stockMode }) => t(`stockModes.${stockModeName(stockMode)}`),
          },
          { key: 'stock', title: t('stock'), align: 'right', render: (product) => <ProductStock product={product} /> },
          {
            key: 'pointsCost',
            title: t('pointsCost'),
            align: 'right',
            render: ({ pointsCost }) => (pointsCost === undefined ? '–' : format.number(pointsCost)),
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
        empty={<EmptyState icon={Boxes} title={t('empty')} hint={t('emptyHint')} action={button} />}
      />
      {creating && <ProductForm onClose={close} />}
    </Page>
  );
}
