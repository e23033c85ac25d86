import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Reward_Type } from '../../../../gen/laurel/v1/reward_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ChoiceCards } from '../../form/choice-cards.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { chests, products } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';
import { hasField, type RewardTypeName, rewardTypeNames, rewardTypes } from './reward-types.ts';

type Values = {
  name: string;
  type: RewardTypeName;
  amount: number | '';
  productId: string;
  chestId: string;
  expiresInDays: number | '';
};

const initialValues: Values = { name: '', type: 'POINTS', amount: '', productId: '', chestId: '', expiresInDays: '' };

/** Creates a reward, in a dialog. Fields of other types are neither shown nor sent. */
export function RewardForm({
  onClose,
  name: suggested = '',
  onMade,
}: {
  readonly onClose: () => void;
  /** The rule of its name. */
  readonly name?: string;
  /** Told its id, where it is made for a field. */
  readonly onMade?: (value: string) => void;
}) {
  const t = useTranslations('rewards');
  const choose = useTranslations('rules')('choose');
  const form = useApiForm({
    method: RewardAdminService.method.createReward,
    initialValues: { ...initialValues, name: suggested },
    request: ({ name, type, amount, productId, chestId, expiresInDays }) => ({
      name,
      type: Reward_Type[type],
      amount: Number(amount),
      productId: hasField(type, 'productId') && productId !== '' ? productId : undefined,
      chestId: hasField(type, 'chestId') && chestId !== '' ? chestId : undefined,
      expiresInDays: hasField(type, 'expiresInDays') && expiresInDays !== '' ? expiresInDays : undefined,
    }),
    check: ({ type, amount, productId, chestId }) => ({
      productId: hasField(type, 'productId') && productId === '' ? choose : undefined,
      chestId: hasField(type, 'chestId') && chestId === '' ? choose : undefined,
      amount:
        rewardTypes[type].decimals === 0 && amount !== '' && !Number.isInteger(amount) ? t('wholeAmount') : undefined,
    }),
    onDone({ reward }, { name }) {
      notifyDone(t('created', { name }));
      onClose();
      if (reward) onMade?.(reward.id);
    },
  });
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('name')}
        />
        <ChoiceCards
          label={t('type')}
          choices={rewardTypeNames.map((value) => ({
            value,
            label: t(`types.${value}`),
            hint: t(`typeHints.${value}`),
            icon: rewardTypes[value].icon,
          }))}
          {...getInputProps('type')}
          value={values.type}
        />
        <Subject form={form.form} />
      </ApiForm>
    </FormDialog>
  );
}

function Subject({ form }: { readonly form: UseFormReturnType<Values> }) {
  const t = useTranslations('rewards');
  const { getInputProps, values } = form;
  const { type } = values;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {hasField(type, 'productId') && (
        <ReferenceSelect
          of={products}
          label={t('product')}
          placeholder={t('productPlaceholder')}
          required
          {...getInputProps('productId')}
          value={values.productId}
        />
      )}
      {hasField(type, 'chestId') && (
        <ReferenceSelect
          of={chests}
          label={t('chest')}
          placeholder={t('chestPlaceholder')}
          required
          {...getInputProps('chestId')}
          value={values.chestId}
        />
      )}
      <NumberInput
        label={t(`amounts.${type}`)}
        withAsterisk
        decimalScale={rewardTypes[type].decimals}
        {...getInputProps('amount')}
      />
      {hasField(type, 'expiresInDays') && (
        <NumberInput
          label={t('expiresInDays')}
          placeholder={t('never')}
          allowDecimal={false}
          {...getInputProps('expiresInDays')}
        />
      )}
    </SimpleGrid>
  );
}
