import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { type Product, Product_StockMode } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

type Values = {
  id: string;
  version: number;
  name: string;
  description: string;
  pointsCost: number | '';
  lowStockThreshold: number | '';
};

/** Changes texts, price and low-stock threshold of a product, against the version that was read when the dialog opened. */
export function ProductEdit({ product, onClose }: { readonly product: Product; readonly onClose: () => void }) {
  const t = useTranslations('products');
  const form$ = useTranslations('form');
  const { id, version, name, description, pointsCost, lowStockThreshold } = product;
  const initialValues: Values = {
    id,
    version,
    name,
    description,
    pointsCost: pointsCost ?? '',
    lowStockThreshold: lowStockThreshold ?? '',
  };
  const form = useApiForm({
    method: ProductAdminService.method.updateProduct,
    initialValues,
    request: (values) => ({
      ...values,
      pointsCost: values.pointsCost === '' ? undefined : values.pointsCost,
      lowStockThreshold: values.lowStockThreshold === '' ? undefined : values.lowStockThreshold,
    }),
    onDone(_answer, values) {
      notifyDone(t('saved', { name: values.name }));
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('edit', { name })} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
        <NumberInput
          label={t('pointsCost')}
          description={t('priceHint')}
          placeholder={t('notSold')}
          decimalScale={4}
          {...getInputProps('pointsCost')}
        />
        {product.stockMode !== Product_StockMode.UNLIMITED && (
          <NumberInput
            label={t('lowStockThreshold')}
            description={t('lowStockThresholdHint')}
            placeholder={t('notTold')}
            allowDecimal={false}
            {...getInputProps('lowStockThreshold')}
          />
        )}
      </ApiForm>
    </FormDialog>
  );
}
