import { Card, Input, SegmentedControl, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect } from '../../form/reference-select.tsx';
import { audiences, rewards } from '../../form/references.ts';
import { TimeField } from '../../form/time-field.tsx';
import { usePreferences } from '../../language/preferences.ts';
import type { CampaignValues } from './campaign-values.ts';

/** What a campaign is, for whom, when, and what completing it gives. */
export function CampaignBasics(props: { readonly form: UseFormReturnType<CampaignValues>; readonly locked: boolean }) {
  const t = useTranslations('campaigns');
  const { timeZone } = usePreferences();
  const { form, locked } = props;
  const { getInputProps, values } = form;
  return (
    <Card component="section">
      <Title order={2} mb="md">
        {t('basics')}
      </Title>
      <Stack gap="md">
        <TextInput label={t('name')} description={t('nameHint')} withAsterisk {...getInputProps('name')} />
        <Textarea label={t('text')} autosize minRows={2} {...getInputProps('description')} />
        <ReferenceMultiSelect
          of={audiences}
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
      </Stack>
    </Card>
  );
}
