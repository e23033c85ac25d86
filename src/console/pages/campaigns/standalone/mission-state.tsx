import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Mission } from '../../../../../gen/laurel/v1/mission_pb.ts';

const colours = { COMING: 'blue', OFFERED: 'laurel', OVER: 'dark' } as const;

/** Whether accounts have a standalone mission at `now`, in milliseconds. */
export function missionState({ startsAt, endsAt }: Mission, now: number): keyof typeof colours {
  if (endsAt !== undefined && timestampMs(endsAt) <= now) return 'OVER';
  return startsAt !== undefined && timestampMs(startsAt) > now ? 'COMING' : 'OFFERED';
}

/** Whether accounts have a standalone mission, in a word and a colour. */
export function MissionState({ mission, now }: { readonly mission: Mission; readonly now: number }) {
  const t = useTranslations('campaigns.standalone.states');
  const state = missionState(mission, now);
  return (
    <Badge component="span" color={colours[state]} variant={state === 'OFFERED' ? 'filled' : 'light'}>
      {t(state)}
    </Badge>
  );
}
