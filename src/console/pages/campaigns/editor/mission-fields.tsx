import { Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect, ReferenceSelect } from '../../../form/reference-select.tsx';
import { eventDefinitions, rewards } from '../../../form/references.ts';
import { isEndless } from './campaign-values.ts';
import { newEvents, newRewards } from './inline-create-forms.ts';
import type { MissionForm } from './mission-form.ts';
import { missionTypeNames } from '../mission-types.ts';
import { TargetFields } from './target-fields.tsx';

/** The fields of one mission, in a campaign or standalone. */
export function MissionFields(props: {
  readonly form: MissionForm;
  readonly locked: boolean;
  /** Fields of a standalone mission below its target. */
  readonly milestones?: ReactNode;
  /** Its conditions and other content below the fields. */
  readonly children: ReactNode;
}) {
  const t = useTranslations('campaigns');
  const { form, locked } = props;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('missionName')} withAsterisk {...form.getInputProps('name')} />
        <Select
          label={t('type')}
          description={t(`typeHints.${form.values.type}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          disabled={locked}
          data={missionTypeNames.map((value) => ({ value, label: t(`types.${value}`) }))}
          {...form.getInputProps('type')}
        />
      </SimpleGrid>
      <Textarea label={t('missionText')} autosize minRows={2} {...form.getInputProps('description')} />
      <ReferenceSelect
        of={eventDefinitions}
        make={newEvents}
        label={t('event')}
        description={t('eventHint')}
        required
        disabled={locked}
        {...form.getInputProps('programmaticCode')}
      />
      <TargetFields form={form} locked={locked} />
      {props.milestones}
      {!isEndless(form.values) && (
        <ReferenceMultiSelect
          of={rewards}
          make={newRewards}
          label={t('missionRewards')}
          description={t('missionRewardsHint')}
          maxValues={10}
          disabled={locked}
          {...form.getInputProps('rewardIds')}
        />
      )}
      <TextInput label={t('image')} placeholder="https://" type="url" {...form.getInputProps('imageUrl')} />
      {props.children}
    </Stack>
  );
}
