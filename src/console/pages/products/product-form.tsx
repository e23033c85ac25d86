import { NumberInput, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { Product_StockMode } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ChoiceCards } from '../../form/choice-cards.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { stockIcons, type StockModeName, stockModes } from './stock-modes.ts';

type Values = {
  name: string;
  description: string;
  stockMode: StockModeName;
  stock: number | '';
  fragmentsRequired: number | '';
  pointsCost: number | '';
  itemNames: string[];
};

const initialValues: Values = {
  name: '',
  description: '',
  stockMode: 'CODES',
  stock: '',
  fragmentsRequired: '',
  pointsCost: '',
  itemNames: [],
};

/** Creates a product, in a dialog, and leads to it: its codes come next. */
export function ProductForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('products');
  const navigate = useNavigate();
  const form = useApiForm({
    method: ProductAdminService.method.createProduct,
    initialValues,
    request: ({ name, description, stockMode, stock, fragmentsRequired, pointsCost, itemNames }) => ({
      name,
      description,
      stockMode: Product_StockMode[stockMode],
      stock: stockMode === 'COUNTED' && stock !== '' ? stock : undefined,
      fragmentsRequired: fragmentsRequired === '' ? undefined : fragmentsRequired,
      pointsCost: pointsCost === '' ? undefined : pointsCost,
      itemNames: stockMode === 'CODES' ? itemNames : [],
    }),
    async onDone({ product }, { name }) {
      notifyDone(t('created', { name }));
      onClose();
      await navigate(`/products/${product?.id ?? ''}`);
    },
  });
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="xl">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
        <ChoiceCards
          label={t('stockMode')}
          columns={3}
          choices={stockModes.map((value) => ({
            value,
            label: t(`stockModes.${value}`),
            hint: t(`stockModeHints.${value}`),
            icon: stockIcons[value],
          }))}
          {...getInputProps('stockMode')}
          value={values.stockMode}
        />
        {values.stockMode === 'CODES' && (
          <TagsInput
            label={t('itemNames')}
            description={t('itemNamesHint')}
            placeholder={values.itemNames.length === 0 ? values.name : ''}
            maxTags={100}
            acceptValueOnBlur
            {...getInputProps('itemNames')}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: values.stockMode === 'COUNTED' ? 3 : 2 }} style={{ alignItems: 'end' }}>
          {values.stockMode === 'COUNTED' && (
            <NumberInput label={t('firstStock')} placeholder="0" allowDecimal={false} {...getInputProps('stock')} />
          )}
          <NumberInput
            label={t('pointsCost')}
            placeholder={t('notSold')}
            decimalScale={4}
            {...getInputProps('pointsCost')}
          />
          <NumberInput
            label={t('fragmentsRequired')}
            placeholder={t('noFragments')}
            allowDecimal={false}
            {...getInputProps('fragmentsRequired')}
          />
        </SimpleGrid>
      </ApiForm>
    </FormDialog>
  );
}
