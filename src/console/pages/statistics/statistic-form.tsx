import { Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { StatisticDefinitionAdminService } from '../../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import {
  StatisticDefinition_Aggregation,
  StatisticDefinition_Period,
  StatisticDefinition_Source,
} from '../../../../gen/laurel/v1/statistic_pb.ts';
import { ExpressionArea } from '../../expressions/expression-area.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { eventDefinitions } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';
import {
  type Aggregation,
  aggregationOf,
  aggregations,
  type Period,
  periods,
  type Source,
  sources,
} from './statistic-names.ts';

type Values = {
  code: string;
  name: string;
  description: string;
  source: Source;
  programmaticCode: string;
  aggregation: Aggregation;
  period: Period;
  condition: string;
  countsPastEvents: boolean;
};

const initialValues: Values = {
  code: '',
  name: '',
  description: '',
  source: 'EVENTS',
  programmaticCode: '',
  aggregation: 'COUNT',
  period: 'MONTH',
  condition: '',
  countsPastEvents: false,
};

/** Creates a statistic, in a dialog. */
export function StatisticForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('statistics');
  const form = useApiForm({
    method: StatisticDefinitionAdminService.method.createStatisticDefinition,
    initialValues,
    within: 'statisticDefinition',
    request: ({
      name,
      source,
      programmaticCode,
      condition,
      countsPastEvents,
      aggregation,
      period,
      ...values
    }: Values) => ({
      statisticDefinition: {
        ...values,
        source: StatisticDefinition_Source[source],
        programmaticCode: source === 'EVENTS' ? programmaticCode : '',
        name: name === '' ? undefined : name,
        condition: source !== 'EVENTS' || condition === '' ? undefined : condition,
        countsPastEvents: source === 'EVENTS' && countsPastEvents,
        aggregation: StatisticDefinition_Aggregation[source === 'EVENTS' ? aggregation : aggregationOf[source]],
        period: StatisticDefinition_Period[period],
      },
    }),
    onDone(_answer, { code }) {
      notifyDone(t('created', { code }));
      onClose();
    },
  });
  const { getInputProps, values } = form.form;
  const isOfEvents = values.source === 'EVENTS';
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput
          label={t('code')}
          description={t('codeHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('code')}
        />
        <TextInput label={t('name')} description={t('nameHint')} {...getInputProps('name')} />
        <Select
          label={t('source')}
          description={t(`sourceHints.${values.source}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={sources.map((value) => ({ value, label: t(`sources.${value}`) }))}
          {...getInputProps('source')}
        />
        {isOfEvents && (
          <ReferenceSelect
            of={eventDefinitions}
            label={t('event')}
            description={t('eventHint')}
            required
            {...getInputProps('programmaticCode')}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: isOfEvents ? 2 : 1 }}>
          {isOfEvents && (
            <Select
              label={t('aggregation')}
              description={t(`aggregationHints.${values.aggregation}`)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              allowDeselect={false}
              data={aggregations.map((value) => ({ value, label: t(`aggregations.${value}`) }))}
              {...getInputProps('aggregation')}
            />
          )}
          <Select
            label={t('period')}
            description={t('periodHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            allowDeselect={false}
            data={periods.map((value) => ({ value, label: t(`periods.${value}`) }))}
            {...getInputProps('period')}
          />
        </SimpleGrid>
        {isOfEvents && (
          <ExpressionArea
            place={{ scope: 'MISSION_CONDITION', code: values.programmaticCode, withoutMission: true }}
            label={t('condition')}
            description={t('conditionHint')}
            placeholder={'event.category == "coffee"'}
            {...getInputProps('condition')}
          />
        )}
        {isOfEvents && (
          <Switch
            label={t('countsPastEvents')}
            description={t('countsPastEventsHint')}
            {...getInputProps('countsPastEvents', { type: 'checkbox' })}
          />
        )}
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
      </ApiForm>
    </FormDialog>
  );
}
