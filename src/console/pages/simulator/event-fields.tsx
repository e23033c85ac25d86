import { Button, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { EventDefinition_Type } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import { AttributeInput } from '../../attributes/attribute-input.tsx';
import { isEmpty } from '../../attributes/attribute-inputs.ts';
import { useEventDefinition } from '../../attributes/use-event-definition.ts';
import { AccountSelect } from '../../form/account-select.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { eventDefinitions } from '../../form/references.ts';
import { TimeField } from '../../form/time-field.tsx';
import { usePreferences } from '../../language/preferences.ts';
import { type SimulatedEvent, fieldTimeOf, timeOfField } from './simulated-event.ts';

/** The path of an attribute's value in the form. */
const pathOf = (name: string) => `attributes.${name}` as const;

/** Which event of which account to think through. */
export function EventFields(props: {
  readonly event: SimulatedEvent;
  /** Called with the event, and the names of its personal attributes. */
  readonly onSimulate: (event: SimulatedEvent, personal: readonly string[]) => void;
  readonly pending: boolean;
}) {
  const t = useTranslations('simulator');
  const rules = useTranslations('rules');
  const { timeZone } = usePreferences();
  const required = (value: string | number): string | null => (value === '' ? rules('required') : null);
  const form = useForm<SimulatedEvent>({
    initialValues: { ...props.event, at: fieldTimeOf(props.event.at, timeZone) },
    validate: (values) => ({
      account: required(values.account),
      event: required(values.event),
      amount: carriesAmount ? required(values.amount) : null,
      ...Object.fromEntries(
        attributes.map(({ name, required: isRequired }) => [
          pathOf(name),
          isRequired && isEmpty(values.attributes[name]) ? rules('required') : null,
        ]),
      ),
    }),
  });
  const { event } = form.values;
  const definition = useEventDefinition(event);
  const carriesAmount = definition?.type === EventDefinition_Type.AMOUNT;
  const attributes = definition?.attributes ?? [];

  function simulate(values: SimulatedEvent): void {
    const amount = carriesAmount ? values.amount : '';
    const declared = Object.fromEntries(attributes.map(({ name }) => [name, values.attributes[name]]));
    const personal = attributes.flatMap((attribute) => (attribute.personal ? [attribute.name] : []));
    props.onSimulate({ ...values, amount, attributes: declared, at: timeOfField(values.at, timeZone) }, personal);
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
        {attributes.map((attribute) => (
          <AttributeInput
            key={attribute.name}
            attribute={attribute}
            value={form.values.attributes[attribute.name]}
            error={form.errors[pathOf(attribute.name)]}
            onChange={(value) => form.setFieldValue(pathOf(attribute.name), value)}
          />
        ))}
        <TimeField label={t('occurredAt')} description={t('occurredAtHint')} {...form.getInputProps('at')} />
        <Button type="submit" loading={props.pending}>
          {t('simulate')}
        </Button>
      </Stack>
    </form>
  );
}
