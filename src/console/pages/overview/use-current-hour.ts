import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The hour that runs, in hours of UTC since 1970; a page that stays open is updated with it. */
export function useCurrentHour(): number {
  const [hour, setHour] = useState(currentHour);
  useInterval(() => setHour(currentHour()), MINUTE, { autoInvoke: true });
  return hour;
}

function currentHour(): number {
  return Math.floor(Date.now() / HOUR);
}
