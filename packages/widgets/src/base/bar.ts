import { type Child, h } from './dom.ts';

/** A progress bar. `share` is from 0 to 1, and `spoken` its value in words. */
export function progressBar({ label, share, spoken }: { label: string; share: number; spoken: string }): Child {
  return h(
    'div',
    {
      part: 'bar',
      class: 'bar',
      role: 'progressbar',
      'aria-label': label,
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      'aria-valuenow': Math.floor(share * 100),
      'aria-valuetext': spoken,
    },
    h('i', { part: 'bar-fill', '--share': share }),
  );
}
