import type { MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Input, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { Account_IdType } from '../../../../gen/laurel/v1/account_pb.ts';
import { EventDefinition_Type } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import type { TriggerSchema } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { eventDefinitions } from '../../form/references.ts';
import { TimeField } from '../../form/time-field.tsx';
import { momentOf } from '../../form/local-time.ts';
import { usePreferences } from '../../language/preferences.ts';
import { filterOf } from '../../table/filter-of.ts';

/** An event as the service takes it. */
export type Event = MessageInitShape<typeof TriggerSchema>;

type Values = {
  idType: 'EXTERNAL' | 'INTERNAL';
  accountId: string;
  programmaticCode: string;
  amount: number | '';
  occurredAt: string;
};

/** Which event of which account to think through. */
export function EventFields(props: { readonly onSimulate: (event: Event) => void; readonly pending: boolean }) {
  const t = useTranslations('simulator');
  const rules = useTranslations('rules');
  const { timeZone } = usePreferences();
  const [query] = useSearchParams();
  const account = query.get('account') ?? '';
  const required = (value: string | number): string | null => (value === '' ? rules('required') : null);
  const form = useForm<Values>({
    initialValues: {
      idType: account === '' ? 'EXTERNAL' : 'INTERNAL',
      accountId: account,
      programmaticCode: query.get('event') ?? '',
      amount: '',
      occurredAt: '',
    },
    validate: {
      accountId: required,
      programmaticCode: required,
      amount: (amount) => (carriesAmount ? required(amount) : null),
    },
  });
  const { programmaticCode } = form.values;
  const { data } = useQuery(
    EventDefinitionAdminService.method.listEventDefinitions,
    { page: 1, limit: 1, filters: filterOf({ programmaticCode: [programmaticCode] }) },
    { enabled: programmaticCode !== '' },
  );
  const carriesAmount: boolean = programmaticCode !== '' && data?.rows[0]?.type === EventDefinition_Type.AMOUNT;

  function simulate({ idType, accountId, programmaticCode, amount, occurredAt }: Values): void {
    props.onSimulate({
      programmaticCode,
      accountId,
      idType: Account_IdType[idType],
      metadata: carriesAmount && amount !== '' ? { amount } : {},
      occurredAt: momentOf(occurredAt, timeZone),
    });
  }

  return (
    <form onSubmit={form.onSubmit(simulate)} noValidate>
      <Stack gap="md">
        <div>
          <Input.Label component="div" id="simulator-id-type" mb={4}>
            {t('accountBy')}
          </Input.Label>
          <SegmentedControl
            fullWidth
            aria-labelledby="simulator-id-type"
            data={(['EXTERNAL', 'INTERNAL'] as const).map((value) => ({ value, label: t(`idTypes.${value}`) }))}
            {...form.getInputProps('idType', { withError: false })}
          />
        </div>
        <TextInput label={t('account')} withAsterisk {...form.getInputProps('accountId')} />
        <ReferenceSelect of={eventDefinitions} label={t('code')} required {...form.getInputProps('programmaticCode')} />
        {carriesAmount && (
          <NumberInput label={t('amount')} withAsterisk decimalScale={4} {...form.getInputProps('amount')} />
        )}
        <TimeField label={t('occurredAt')} description={t('occurredAtHint')} {...form.getInputProps('occurredAt')} />
        <Button type="submit" loading={props.pending}>
          {t('simulate')}
        </Button>
      </Stack>
    </form>
  );
}
