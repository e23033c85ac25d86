import { useQuery } from '@connectrpc/connect-query';
import { Alert, Button, Group, Input, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { audiences, products } from '../../form/references.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ClientNumberForm } from '../clients/client-number-form.tsx';
import { eventRewards, type ImportValues } from './import-types.ts';

/** The target of the rows: for accounts an optional audience; for codes a product; for events what follows from them; else none. */
export function ImportTarget({ form }: { readonly form: UseFormReturnType<ImportValues> }) {
  const t = useTranslations('imports');
  const { values, getInputProps } = form;
  if (values.type === 'PRODUCT_CODES') return <CodesTarget form={form} />;
  if (values.type === 'STATISTICS') return null;
  if (values.type === 'EVENTS') return <EventsTarget form={form} />;
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

/** The days that the dialog proposes. */
const PROPOSED_DAYS = 30;

/** The effects of the events: rewards, webhooks, or none in a rehearsal. */
function EventsTarget({ form }: { readonly form: UseFormReturnType<ImportValues> }) {
  const t = useTranslations('imports');
  const clients$ = useTranslations('clients');
  const { client } = useSession();
  const [editing, { open, close }] = useDisclosure(false);
  const { getInputProps } = form;
  const daysMax = client?.backfillDaysMax ?? 0;
  return (
    <>
      <Alert color={daysMax === 0 ? 'yellow' : 'gray'}>
        <Group justify="space-between" gap="xs">
          <Text size="sm">{t('eventsHint', { days: daysMax })}</Text>
          <Allowed to={Permission.KEEP_CLIENT}>
            <Button size="compact-sm" variant="default" onClick={open}>
              {t('eventsChange')}
            </Button>
          </Allowed>
        </Group>
      </Alert>
      {editing && client && (
        // React passes the submit event of a dialog on to the surrounding form.
        <div onSubmit={(event) => event.stopPropagation()}>
          <ClientNumberForm
            client={client}
            field="backfillDaysMax"
            proposed={PROPOSED_DAYS}
            title={clients$('backfillDaysMax')}
            label={clients$('backfillDaysMax')}
            hint={clients$('backfillDaysMaxHint')}
            saved={t('eventsChanged')}
            onClose={close}
          />
        </div>
      )}
      <Input.Wrapper label={t('rewards')} description={t('rewardsHint')} labelElement="div">
        <Stack align="flex-start" mt={4}>
          <SegmentedControl
            aria-label={t('rewards')}
            data={eventRewards.map((value) => ({ value, label: t(`eventRewards.${value}`) }))}
            {...getInputProps('rewards')}
          />
        </Stack>
      </Input.Wrapper>
      <Switch
        label={t('webhooks')}
        description={t('webhooksHint')}
        {...getInputProps('webhooks', { type: 'checkbox' })}
      />
      <Switch label={t('dryRun')} description={t('dryRunHint')} {...getInputProps('dryRun', { type: 'checkbox' })} />
    </>
  );
}
