import { type Child, h } from '../base/dom.ts';
import type { Words } from '../base/words.ts';
import type { TextKey } from '../texts/en.ts';
import type { Marked, State } from './marks.ts';
import type { PeriodUnit } from './periods.ts';

const STATES = {
  kept: 'periodKept',
  run: 'periodInRun',
  freeze: 'periodFrozen',
  vacation: 'periodVacation',
  missed: 'periodMissed',
  open: 'periodOpen',
  unknown: 'periodUnknown',
} as const satisfies Record<State, TextKey>;

/** The parts of a date that are seen, and those that are said. */
const SEEN = { DAY: { day: 'numeric' }, WEEK: { day: 'numeric', month: 'short' }, MONTH: { month: 'short' } } as const;
const SAID = {
  DAY: { weekday: 'long', day: 'numeric', month: 'long' },
  WEEK: { day: 'numeric', month: 'long' },
  MONTH: { month: 'long', year: 'numeric' },
} as const;

/** The states that are explained. A kept period looks like one of the run, and an unknown one like nothing. */
const EXPLAINED = ['run', 'freeze', 'vacation', 'missed', 'open'] as const;

/** The recent periods of a streak: a calendar for the eye, a list of sentences for the ear. */
export function calendarView(marks: readonly Marked[], unit: PeriodUnit, words: Words): Child {
  const states = new Set(marks.map(({ state }) => (state === 'kept' ? 'run' : state)));
  return h(
    'div',
    { part: 'calendar', class: 'calendar', 'data-unit': unit },
    unit === 'DAY' &&
      h(
        'div',
        { class: 'grid weekdays', 'aria-hidden': 'true' },
        ...marks.slice(0, 7).map(({ period: { since } }) => h('span', {}, words.date(since, { weekday: 'narrow' }))),
      ),
    h(
      'ul',
      { class: 'grid', role: 'list', 'aria-label': words.text('recent') },
      ...marks.map((marked) => periodView(marked, unit, words)),
    ),
    h(
      'p',
      { part: 'legend', class: 'legend quiet', 'aria-hidden': 'true' },
      ...EXPLAINED.filter((state) => states.has(state)).map((state) =>
        h('span', {}, h('i', { 'data-state': state }), words.text(STATES[state])),
      ),
    ),
  );
}

function periodView({ period: { key, since }, state, isPresent }: Marked, unit: PeriodUnit, words: Words): Child {
  const date = words.date(since, SAID[unit]);
  const said = { date: unit === 'WEEK' ? words.text('weekFrom', { date }) : date, state: words.text(STATES[state]) };
  return h(
    'li',
    {
      part: isPresent ? 'period present' : 'period',
      class: isPresent ? 'present' : undefined,
      'data-state': state,
      'aria-current': isPresent ? 'date' : undefined,
      key,
    },
    h('span', { 'aria-hidden': 'true' }, words.date(since, SEEN[unit])),
    h('span', { class: 'heard' }, words.text('period', said)),
  );
}

/** Each state has a form beside its colour: full, a double edge, dots, struck out, dashes. */
export const CALENDAR_LOOK = `
.calendar { max-inline-size: 22rem; margin-block-start: 12px; }
.grid { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 6px; text-align: center; }
[data-unit=WEEK] .grid, [data-unit=MONTH] .grid { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 4px; font-size: .9em; }
.weekdays { margin-block-end: 4px; color: var(--_quiet); font-size: .75em; }
.grid li {
  display: grid; place-items: center; position: relative; min-block-size: 34px; border: 1px solid transparent; border-radius: 8px;
  color: var(--_quiet); font-size: .8125em; font-variant-numeric: tabular-nums;
}
.grid .present { outline: 2px solid var(--_accent); outline-offset: 1px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 14px; margin-block-start: 10px; }
.legend span { display: flex; align-items: center; gap: 6px; }
.legend i { inline-size: 14px; block-size: 14px; border: 1px solid transparent; border-radius: 4px; }
.calendar [data-state=kept], .calendar [data-state=run] { background: var(--_accent); color: var(--_on-accent); font-weight: 600; }
.calendar [data-state=freeze] { border: 3px double var(--_accent); background: var(--_tint); color: var(--_text); }
.calendar [data-state=vacation] {
  border: 2px dotted var(--_quiet); color: var(--_text);
}
.calendar [data-state=missed] { border-color: var(--_quiet); text-decoration: line-through; }
.calendar [data-state=open] { border: 2px dashed var(--_accent); color: var(--_text); }
.grid .present[data-state=open] { outline: none; }
@media (forced-colors: active) {
  .calendar [data-state=kept], .calendar [data-state=run] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  .grid [data-state=unknown] { border-color: Canvas; }
}
`;
