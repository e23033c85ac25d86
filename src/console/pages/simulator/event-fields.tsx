import { useQuery } from '@connectrpc/connect-query';
import { Button, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinition_Type } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import { AccountSelect } from '../../form/account-select.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { eventDefinitions } from '../../form/references.ts';
import { TimeField } from '../../form/time-field.tsx';
import { usePreferences } from '../../language/preferences.ts';
import { filterOf } from '../../table/filter-of.ts';
import { type SimulatedEvent, fieldTimeOf, timeOfField } from './simulated-event.ts';

/** Which event of which account to think through. */
export function EventFields(props: {
  readonly event: SimulatedEvent;
  readonly onSimulate: (event: SimulatedEvent) => void;
  readonly pending: boolean;
}) {
  const t = useTranslations('simulator');
  const rules = useTranslations('rules');
  const { timeZone } = usePreferences();
  const required = (value: string | number): string | null => (value === '' ? rules('required') : null);
  const form = useForm<SimulatedEvent>({
    initialValues: { ...props.event, at: fieldTimeOf(props.event.at, timeZone) },
    validate: {
      account: required,
      event: required,
      amount: (amount) => (carriesAmount ? required(amount) : null),
    },
  });
  const { event } = form.values;
  const { data } = useQuery(
    EventDefinitionAdminService.method.listEventDefinitions,
    { page: 1, limit: 1, filters: filterOf({ programmaticCode: [event] }) },
    { enabled: event !== '' },
  );
  const carriesAmount: boolean = event !== '' && data?.rows[0]?.type === EventDefinition_Type.AMOUNT;

  function simulate(values: SimulatedEvent): void {
    const amount = carriesAmount ? values.amount : '';
    props.onSimulate({ ...values, amount, at: timeOfField(values.at, timeZone) });
  }

  return (
    <form onSubmit={form.onSubmit(simulate)} noValidate>
      <Stack gap="md">
        <AccountSelect
          label={t('account')}
          description={t('accountHint')}
          required
          newLabel={(externalId) => t('newAccount', { externalId })}
          {...form.getInputProps('account')}
        />
        <ReferenceSelect of={eventDefinitions} label={t('code')} required {...form.getInputProps('event')} />
        {carriesAmount && (
          <NumberInput label={t('amount')} withAsterisk decimalScale={4} {...form.getInputProps('amount')} />
        )}
        <TimeField label={t('occurredAt')} description={t('occurredAtHint')} {...form.getInputProps('at')} />
        <Button type="submit" loading={props.pending}>
          {t('simulate')}
        </Button>
      </Stack>
    </form>
  );
}
