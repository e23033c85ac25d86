import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Reward_OnReversal, Reward_Type } from '../../../../gen/laurel/v1/reward_pb.ts';
import { ExpressionArea } from '../../expressions/expression-area.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ChoiceCards } from '../../form/choice-cards.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { chests, products } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';
import { badgeInputs, isNoAddress } from './badge-inputs.tsx';
import {
  hasField,
  type OnReversalName,
  onReversalNames,
  type RewardTypeName,
  rewardTypeNames,
  rewardTypes,
  type FormField,
} from './reward-types.ts';

/** The value of a number field: '' if it is empty. */
type Entry = number | '';

/** The initial values of the fields that only some types have. */
const empty = {
  productId: '',
  chestId: '',
  amount: '' as Entry,
  expiresInDays: '' as Entry,
  amountExpression: '',
  amountMax: '' as Entry,
  onReversal: '' as OnReversalName | '',
  imageUrl: '',
  description: '',
  secret: false,
} satisfies Readonly<Record<FormField, string | number | boolean>>;

type Values = { name: string; type: RewardTypeName } & typeof empty;

const initialValues: Values = { name: '', type: 'POINTS', ...empty };

/** Creates a reward, in a dialog. Fields of other types are neither shown nor sent. */
export function RewardForm({
  onClose,
  name: suggested = '',
  onMade,
}: {
  readonly onClose: () => void;
  /** The rule of its name. */
  readonly name?: string;
  /** Called with its id, if it is created for a field. */
  readonly onMade?: (value: string) => void;
}) {
  const t = useTranslations('rewards');
  const rules = useTranslations('rules');
  const choose = rules('choose');
  const form = useApiForm({
    method: RewardAdminService.method.createReward,
    initialValues: { ...initialValues, name: suggested },
    request: ({ name, type, ...values }) => ({ name, type: Reward_Type[type], ...sent(type, values) }),
    check: ({ type, amount, productId, chestId, imageUrl }) => ({
      productId: hasField(type, 'productId') && productId === '' ? choose : undefined,
      chestId: hasField(type, 'chestId') && chestId === '' ? choose : undefined,
      imageUrl: hasField(type, 'imageUrl') && isNoAddress(imageUrl) ? rules('address') : undefined,
      amount: hasField(type, 'amount') && isTooFine(type, amount) ? t('wholeAmount') : undefined,
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
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {rewardTypes[values.type].fields.map((field) => {
            const Input = inputs[field];
            return <Input key={field} form={form.form} />;
          })}
        </SimpleGrid>
      </ApiForm>
    </FormDialog>
  );
}

/** The request fields that only some types have. */
function sent(type: RewardTypeName, values: typeof empty) {
  const { productId, chestId, amount, expiresInDays, amountExpression, amountMax, onReversal } = values;
  const { imageUrl, description, secret } = values;
  const isCalculated = hasField(type, 'amountExpression') && amountExpression !== '';
  const entered = <Value extends string | number>(field: FormField, value: Value | ''): Value | undefined =>
    hasField(type, field) && value !== '' ? value : undefined;
  return {
    productId: entered('productId', productId),
    chestId: entered('chestId', chestId),
    amount: isCalculated ? 0 : hasField(type, 'amount') ? Number(amount) : 1,
    expiresInDays: entered('expiresInDays', expiresInDays),
    amountExpression: entered('amountExpression', amountExpression),
    amountMax: isCalculated ? entered('amountMax', amountMax) : undefined,
    onReversal: onReversal ? Reward_OnReversal[onReversal] : undefined,
    imageUrl: entered('imageUrl', imageUrl),
    description: entered('description', description),
    secret: hasField(type, 'secret') ? secret : undefined,
  } satisfies Readonly<Record<FormField, unknown>>;
}

function isTooFine(type: RewardTypeName, amount: Entry): boolean {
  return rewardTypes[type].decimals === 0 && amount !== '' && !Number.isInteger(amount);
}

type InputProps = { readonly form: UseFormReturnType<Values> };

/** The input of each field. */
const inputs: Readonly<Record<FormField, ComponentType<InputProps>>> = {
  productId: ProductInput,
  chestId: ChestInput,
  amount: AmountInput,
  expiresInDays: ExpiryInput,
  amountExpression: AmountExpressionInput,
  amountMax: AmountMaxInput,
  onReversal: OnReversalInput,
  ...badgeInputs,
};

function ProductInput({ form: { getInputProps, values } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <ReferenceSelect
      of={products}
      label={t('product')}
      placeholder={t('productPlaceholder')}
      required
      {...getInputProps('productId')}
      value={values.productId}
    />
  );
}

function ChestInput({ form: { getInputProps, values } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <ReferenceSelect
      of={chests}
      label={t('chest')}
      placeholder={t('chestPlaceholder')}
      required
      {...getInputProps('chestId')}
      value={values.chestId}
    />
  );
}

function AmountInput({ form: { getInputProps, values } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <NumberInput
      label={t(`amounts.${values.type}`)}
      withAsterisk
      decimalScale={rewardTypes[values.type].decimals}
      disabled={hasField(values.type, 'amountExpression') && values.amountExpression !== ''}
      {...getInputProps('amount')}
    />
  );
}

/** The points as an expression, instead of a fixed amount. */
function AmountExpressionInput({ form: { getInputProps } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <ExpressionArea
      place={{ scope: 'REWARD_AMOUNT' }}
      label={t('amountExpression')}
      description={t('amountExpressionHint')}
      placeholder="event.amount * 2"
      minRows={1}
      maxRows={8}
      {...getInputProps('amountExpression')}
    />
  );
}

function AmountMaxInput({ form: { getInputProps, values } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <NumberInput
      label={t('amountMax')}
      description={t('amountMaxHint')}
      allowDecimal={false}
      min={1}
      disabled={values.amountExpression === ''}
      {...getInputProps('amountMax')}
    />
  );
}

function OnReversalInput({ form: { getInputProps } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <Select
      label={t('onReversal')}
      description={t('onReversalHint')}
      placeholder={t('onReversalDefault')}
      clearable
      data={onReversalNames.map((value) => ({ value, label: t(`reversals.${value}`) }))}
      {...getInputProps('onReversal')}
    />
  );
}

function ExpiryInput({ form: { getInputProps } }: InputProps) {
  const t = useTranslations('rewards');
  return (
    <NumberInput
      label={t('expiresInDays')}
      placeholder={t('never')}
      allowDecimal={false}
      {...getInputProps('expiresInDays')}
    />
  );
}
