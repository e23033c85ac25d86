import { useQuery } from '@connectrpc/connect-query';
import { Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { audiences, products } from '../../form/references.ts';
import type { ImportValues } from './import-types.ts';

/** The target of the rows: for accounts an optional audience; for codes a product; none for statistics. */
export function ImportTarget({ form }: { readonly form: UseFormReturnType<ImportValues> }) {
  const t = useTranslations('imports');
  const { values, getInputProps } = form;
  if (values.type === 'PRODUCT_CODES') return <CodesTarget form={form} />;
  if (values.type === 'STATISTICS') return null;
  return (
    <ReferenceSelect
      of={audiences}
      where={{ kind: ['MANUAL'] }}
      label={t('audience')}
      description={t('audienceHint')}
      placeholder={t('noAudience')}
      clearable
      {...getInputProps('audienceId')}
      value={values.audienceId}
    />
  );
}

function CodesTarget({ form }: { readonly form: UseFormReturnType<ImportValues> }) {
  const t = useTranslations('imports');
  const { values, getInputProps } = form;
  const { productId } = values;
  const chosen = useQuery(ProductAdminService.method.getProduct, { id: productId }, { enabled: productId !== '' });
  const items = chosen.data?.product?.items ?? [];
  return (
    <>
      <ReferenceSelect
        of={products}
        where={{ stockMode: ['CODES'] }}
        label={t('product')}
        placeholder={t('search')}
        required
        {...getInputProps('productId')}
        onChange={(id) => form.setValues({ productId: id, itemId: '' })}
        value={productId}
      />
      {items.length > 1 && (
        <Select
          label={t('item')}
          placeholder={items[0]?.name ?? ''}
          data={items.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          {...getInputProps('itemId')}
          value={values.itemId === '' ? null : values.itemId}
          onChange={(id) => form.setFieldValue('itemId', id ?? '')}
        />
      )}
    </>
  );
}
