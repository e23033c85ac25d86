import { Group, NumberInput, Select } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { LeaderboardRun } from '../../../../gen/laurel/v1/leaderboard_pb.ts';

/** A group of a run. */
export type ChosenGroup = { readonly league: number; readonly group: number };

/** Chooses one group of a run with leagues, or the whole run. */
export function GroupChoice(props: {
  readonly run: LeaderboardRun;
  readonly chosen: ChosenGroup | undefined;
  readonly choose: (chosen: ChosenGroup | undefined) => void;
}) {
  const t = useTranslations('leaderboards');
  const { run, chosen, choose } = props;
  const groups = run.leagues.find(({ league }) => league === chosen?.league)?.groups ?? 0;
  return (
    <Group align="end" gap="sm">
      <Select
        label={t('league')}
        allowDeselect={false}
        data={[
          { value: '', label: t('allLeagues') },
          ...run.leagues.map(({ league, name }) => ({ value: `${league}`, label: name })),
        ]}
        value={chosen === undefined ? '' : `${chosen.league}`}
        onChange={(value) => choose(value ? { league: Number(value), group: 1 } : undefined)}
      />
      {chosen && (
        <NumberInput
          label={t('groupOf', { groups })}
          w={150}
          min={1}
          max={Math.max(1, groups)}
          clampBehavior="strict"
          allowDecimal={false}
          value={chosen.group}
          onChange={(value) => choose({ ...chosen, group: Math.max(1, Number(value) || 1) })}
        />
      )}
    </Group>
  );
}
