import type { CauseReader } from '../../activity/causes.ts';
import type { ClockWatch } from './clock-watch.ts';

/** The distrusted clock as a cause, the same for every client. */
export function clockCause(watch: Pick<ClockWatch, 'doubt'> | undefined): CauseReader {
  return () => {
    const doubt = watch?.doubt();
    // After a stop of days the clock is probably right, and trust returns automatically.
    const severity = doubt?.reason === 'AWAY' ? 'WARNING' : 'URGENT';
    return Promise.resolve(doubt === undefined ? [] : [{ severity, since: doubt.since, subject: doubt.reason }]);
  };
}
