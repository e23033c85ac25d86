import { Button, NumberInput, SimpleGrid, Stack, Switch, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Trophy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { LeaderboardValues } from './leaderboard-values.ts';

/** As many leagues as a leaderboard may have. */
const MOST_LEAGUES = 10;

type Props = { readonly form: UseFormReturnType<LeaderboardValues> };

/** Fills in the leagues of a new leaderboard, as most games have them. */
export function LeagueTemplate({ form }: Props) {
  const t = useTranslations('leaderboards');
  function fillIn(): void {
    const { name, leagues } = form.values;
    const names = [
      t('exampleLeagues.first'),
      t('exampleLeagues.second'),
      t('exampleLeagues.third'),
      t('exampleLeagues.fourth'),
    ];
    form.setValues({
      name: name === '' ? t('weeklyLeague') : name,
      hasLeagues: true,
      leagues: { ...leagues, names, groupSize: 30, promoted: 5, relegated: 5 },
      order: 'HIGHEST_FIRST',
    });
  }
  return (
    <Button
      variant="light"
      leftSection={<Trophy size={16} aria-hidden />}
      onClick={fillIn}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('fillInLeague')}
    </Button>
  );
}

/** The leagues of a leaderboard. @param isFixed whether it was activated */
export function LeagueFields({ form, isFixed }: Props & { readonly isFixed: boolean }) {
  const t = useTranslations('leaderboards');
  const { hasLeagues, leagues } = form.values;
  return (
    <Stack gap="sm" role="group" aria-label={t('leagues')}>
      <Switch
        label={t('hasLeagues')}
        description={t(isFixed ? 'fixed' : 'leaguesHint')}
        disabled={isFixed}
        checked={hasLeagues}
        onChange={({ currentTarget }) => form.setFieldValue('hasLeagues', currentTarget.checked)}
      />
      {hasLeagues && (
        <>
          <TagsInput
            label={t('leagueNames')}
            description={t('leagueNamesHint')}
            withAsterisk
            disabled={isFixed}
            maxTags={MOST_LEAGUES}
            {...form.getInputProps('leagues.names')}
            value={leagues.names}
          />
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <NumberInput
              label={t('groupSize')}
              withAsterisk
              allowDecimal={false}
              disabled={isFixed}
              {...form.getInputProps('leagues.groupSize')}
            />
            <NumberInput
              label={t('promoted')}
              allowDecimal={false}
              disabled={isFixed}
              {...form.getInputProps('leagues.promoted')}
            />
            <NumberInput
              label={t('relegated')}
              allowDecimal={false}
              disabled={isFixed}
              {...form.getInputProps('leagues.relegated')}
            />
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}
