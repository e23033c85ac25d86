import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Group } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { DayField } from '../form/time-field.tsx';
import { isDay, momentOf } from '../form/local-time.ts';
import { usePreferences } from '../language/preferences.ts';

/** Days as a date field holds them, `YYYY-MM-DD` or ''. Both are included. */
type Days = { readonly from: string; readonly until: string };

/** The two fields of a period. */
export function DayFields(props: { readonly days: Days; readonly onChange: (field: keyof Days, day: string) => void }) {
  const t = useTranslations('table');
  return (
    <Group gap="sm">
      {(['from', 'until'] as const).map((field) => (
        <DayField
          key={field}
          label={t(field)}
          value={props.days[field]}
          onChange={({ currentTarget }) => props.onChange(field, currentTarget.value)}
        />
      ))}
    </Group>
  );
}

/** The days to show, kept in the address, and as moments on the person's clocks. */
export function useDays(): readonly [
  Days,
  (field: keyof Days, day: string) => void,
  { readonly since?: Timestamp; readonly until?: Timestamp },
] {
  const { timeZone } = usePreferences();
  const [params, setParams] = useSearchParams();
  const dayOf = (field: keyof Days) => {
    const day = params.get(field);
    return isDay(day) ? day : '';
  };
  const days = { from: dayOf('from'), until: dayOf('until') };
  const since = momentOf(`${days.from}T00:00`, timeZone);
  const until = days.until === '' ? undefined : momentOf(`${dayAfter(days.until)}T00:00`, timeZone);

  function change(field: keyof Days, day: string): void {
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        next.delete('page');
        if (day === '') next.delete(field);
        else next.set(field, day);
        return next;
      },
      { replace: true },
    );
  }

  return [days, change, { ...(since && { since }), ...(until && { until }) }];
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
