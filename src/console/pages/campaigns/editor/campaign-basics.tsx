import {
  Card,
  Input,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect } from '../../../form/reference-select.tsx';
import { audiences, rewards } from '../../../form/references.ts';
import { TimeField } from '../../../form/time-field.tsx';
import { usePreferences } from '../../../language/preferences.ts';
import type { CampaignValues } from './campaign-values.ts';
import { CollapsibleSection } from './collapsible-section.tsx';
import { newAudiences, newRewards } from './inline-create-forms.ts';
import { BASICS, type Folds } from './use-folds.ts';
import { useBasicsSummary } from './use-summaries.ts';

/** The basic fields of a campaign: name, audiences, dates and completion rewards. */
export function CampaignBasics(props: {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly folds: Folds;
  readonly locked: boolean;
}) {
  const t = useTranslations('campaigns');
  const { timeZone } = usePreferences();
  const { form, folds, locked } = props;
  const summary = useBasicsSummary(form.values);
  const { getInputProps, values } = form;
  return (
    <Card component="section">
      <CollapsibleSection
        heading="h2"
        title={t('basics')}
        summary={summary}
        opened={folds.isOpen(BASICS)}
        onToggle={() => folds.toggle(BASICS)}
      >
        <Stack gap="md">
          <TextInput label={t('name')} description={t('nameHint')} withAsterisk {...getInputProps('name')} />
          <Textarea label={t('text')} autosize minRows={2} {...getInputProps('description')} />
          <ReferenceMultiSelect
            of={audiences}
            make={newAudiences}
            label={t('audiences')}
            description={t('audiencesHint')}
            maxValues={20}
            required
            {...getInputProps('audienceIds')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TimeField
              label={t('startsAt')}
              description={t('startsAtHint', { timeZone })}
              disabled={locked}
              {...getInputProps('startsAt')}
            />
            <TimeField label={t('endsAt')} description={t('endsAtHint')} {...getInputProps('endsAt')} />
          </SimpleGrid>
          <ReferenceMultiSelect
            of={rewards}
            make={newRewards}
            label={t('completionRewards')}
            description={t('completionRewardsHint')}
            maxValues={10}
            required
            disabled={locked}
            {...getInputProps('rewardIds')}
          />
          <div>
            <Input.Label component="div" id="claim-policy" mb={4}>
              {t('claimPolicy')}
            </Input.Label>
            <SegmentedControl
              aria-labelledby="claim-policy"
              disabled={locked}
              data={(['AUTOMATIC', 'EXPLICIT'] as const).map((value) => ({ value, label: t(`policies.${value}`) }))}
              {...getInputProps('claimPolicy', { withError: false })}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {t(`policyHints.${values.claimPolicy}`)}
            </Text>
          </div>
          <NumberInput
            label={t('controlGroup')}
            description={t('controlGroupHint')}
            placeholder="0"
            suffix=" %"
            allowDecimal={false}
            disabled={locked}
            {...getInputProps('controlGroupPercent')}
          />
        </Stack>
      </CollapsibleSection>
    </Card>
  );
}
