import { Anchor, Select, Text, Textarea } from '@mantine/core';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Product } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { linesOf } from '../../form/lines.ts';
import { useApiForm } from '../../form/use-api-form.ts';

/** As many codes as one call takes. */
const MOST = 10_000;

/** Adds codes to a product, one a line, in a dialog. */
export function CodesDialog({ product, onClose }: { readonly product: Product; readonly onClose: () => void }) {
  const t = useTranslations('products');
  const { id, name, items } = product;
  const form = useApiForm({
    method: ProductAdminService.method.addProductCodes,
    initialValues: { codes: '', itemId: items[0]?.id ?? '' },
    request: ({ codes, itemId }) => ({ id, codes: linesOf(codes), itemId: itemId === '' ? undefined : itemId }),
    check: ({ codes }) => faultsOf(linesOf(codes)),
    onDone({ added, delivered }, { codes }) {
      notifyDone(t('codesAdded', { count: added, known: linesOf(codes).length - added, delivered }));
      onClose();
    },
  });

  /** The rules name each code by its index; the person sees one field. */
  function faultsOf(codes: readonly string[]): Record<string, string | undefined> {
    const tooLong = codes.find((code) => code.length > 255);
    if (codes.length === 0) return { codes: t('noCodes') };
    if (codes.length > MOST) return { codes: t('tooManyCodes', { count: codes.length }) };
    return { codes: tooLong === undefined ? undefined : t('codeTooLong', { code: tooLong.slice(0, 20) }) };
  }

  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('addCodesTo', { name })} size="lg">
      <ApiForm form={form} submit={t('addCodes')} onCancel={onClose}>
        <Textarea
          label={t('codes')}
          description={t('codesHint')}
          withAsterisk
          autosize
          minRows={6}
          maxRows={14}
          spellCheck={false}
          data-autofocus
          ff="monospace"
          {...getInputProps('codes')}
        />
        <Text size="sm" c="dimmed" role="status">
          {t('counted', { count: linesOf(values.codes).length })}
        </Text>
        {items.length > 1 && (
          <Select
            label={t('goodFor')}
            data={items.map((item) => ({ value: item.id, label: item.name }))}
            allowDeselect={false}
            {...getInputProps('itemId')}
          />
        )}
        <Text size="sm" c="dimmed">
          {t('addUnitsHint')}{' '}
          <Anchor component={Link} to={`/imports/new?type=codes&product=${id}`} inherit underline="always">
            {t('importCodes')}
          </Anchor>
        </Text>
      </ApiForm>
    </FormDialog>
  );
}
