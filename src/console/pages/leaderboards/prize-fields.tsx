import { ActionIcon, Button, Input, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect } from '../../form/reference-select.tsx';
import { rewards } from '../../form/references.ts';
import { type LeaderboardValues, newPrize, prizeEnds, rankAfter, ties } from './leaderboard-values.ts';
import classes from './leaderboards.module.css';

/** As many prizes as a leaderboard may have. */
const MOST_PRIZES = 20;

/** As many rewards as a prize may have. */
const MOST_REWARDS = 10;

type Props = { readonly form: UseFormReturnType<LeaderboardValues> };

/** The prizes of each period, a card for each. */
export function PrizeFields({ form }: Props) {
  const t = useTranslations('leaderboards');
  const { prizes } = form.values;
  return (
    <Stack gap="sm" role="group" aria-label={t('prizes')}>
      <div>
        <Input.Label component="div">{t('prizes')}</Input.Label>
        <Text size="xs" c="dimmed">
          {t('prizesHint')}
        </Text>
      </div>
      {prizes.map(({ key }, index) => (
        <PrizeFieldsOf key={key} form={form} index={index} />
      ))}
      <Button
        variant="light"
        leftSection={<Plus size={16} aria-hidden />}
        disabled={prizes.length >= MOST_PRIZES}
        onClick={() => form.insertListItem('prizes', newPrize(rankAfter(prizes)))}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('addPrize')}
      </Button>
    </Stack>
  );
}

function PrizeFieldsOf({ form, index }: Props & { readonly index: number }) {
  const t = useTranslations('leaderboards');
  const prize = form.values.prizes[index];
  if (prize === undefined) return null;
  const number = String(index + 1);
  const path = `prizes.${index}` as const;
  return (
    <div className={classes['prize']} role="group" aria-label={t('prize', { number })}>
      <NumberInput
        label={t('firstRank')}
        withAsterisk
        allowDecimal={false}
        className={classes['first'] ?? ''}
        {...form.getInputProps(`${path}.firstRank`)}
      />
      <Select
        label={t('prizeEnd')}
        allowDeselect={false}
        className={classes['end'] ?? ''}
        data={prizeEnds.map((value) => ({ value, label: t(`prizeEnds.${value}`) }))}
        {...form.getInputProps(`${path}.end`)}
      />
      {prize.end === 'RANK' ? (
        <NumberInput
          key="rank"
          label={t('lastRank')}
          withAsterisk
          allowDecimal={false}
          className={classes['last'] ?? ''}
          {...form.getInputProps(`${path}.lastRank`)}
        />
      ) : (
        <NumberInput
          key="share"
          label={t('topShare')}
          withAsterisk
          suffix=" %"
          className={classes['last'] ?? ''}
          {...form.getInputProps(`${path}.topShare`)}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        className={classes['remove'] ?? ''}
        aria-label={t('removePrize', { number })}
        onClick={() => form.removeListItem('prizes', index)}
      >
        <Trash2 size={16} />
      </ActionIcon>
      <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes['wide'] ?? ''}>
        <ReferenceMultiSelect
          of={rewards}
          label={t('rewards')}
          required
          maxValues={MOST_REWARDS}
          {...form.getInputProps(`${path}.rewardIds`)}
          value={prize.rewardIds}
        />
        <Select
          label={t('ties')}
          allowDeselect={false}
          data={ties.map((value) => ({ value, label: t(`tiesOf.${value}`) }))}
          {...form.getInputProps(`${path}.ties`)}
        />
        {form.values.hasLeagues && (
          <Select
            label={t('prizeFor')}
            allowDeselect={false}
            data={[
              { value: '', label: t('wholeRun') },
              ...form.values.leagues.names.map((name, place) => {
                return { value: String(place + 1), label: t('groupsOfLeague', { league: name }) };
              }),
            ]}
            {...form.getInputProps(`${path}.league`)}
          />
        )}
      </SimpleGrid>
    </div>
  );
}
