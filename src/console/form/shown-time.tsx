import type { ReactNode } from 'react';
import { useFormatter } from 'use-intl';
import classes from './shown-time.module.css';

/**
 * Shows the value of a native date field in the console's language while it has no focus: browsers write it in their own, whatever the
 * page's language is. Pickers and screen readers have the native field.
 */
export function useShownTime(value: unknown): (field: ReactNode) => ReactNode {
  const format = useFormatter();
  const text = typeof value === 'string' ? value : '';
  const moment = new Date(text.length === 10 ? `${text}T00:00Z` : `${text}Z`);
  // The text is a time on some clocks, without a zone; UTC on both ways leaves it as it is.
  const shown = !Number.isNaN(moment.getTime())
    ? format.dateTime(moment, text.length === 10 ? 'day' : 'moment', { timeZone: 'UTC' })
    : '–';
  return (field) => (
    <div className={classes['frame']}>
      {field}
      <span className={classes['text']} aria-hidden>
        {shown}
      </span>
    </div>
  );
}
