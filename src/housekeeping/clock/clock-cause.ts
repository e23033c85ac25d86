import type { CauseReader } from '../../statistics/causes.ts';
import type { ClockWatch } from './clock-watch.ts';

/** What keeps housekeeping from what it cannot undo, as one cause, the same for every client. */
export function clockCause(watch: Pick<ClockWatch, 'doubt'> | undefined): CauseReader {
  return () => {
    const doubt = watch?.doubt();
    // After a stop of days it is likely that all is well, and it ends by itself.
    const severity = doubt?.reason === 'AWAY' ? 'WARNING' : 'URGENT';
    return Promise.resolve(doubt === undefined ? [] : [{ severity, since: doubt.since, subject: doubt.reason }]);
  };
}
