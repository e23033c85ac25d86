import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockText, isQuiet, minutesOf } from '../../../src/alerts/quiet-hours.ts';

const DAY = 24 * 60;
const minute = fc.integer({ min: 0, max: DAY - 1 });
const zone = fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');

/** Walks the day minute by minute in local time, which another library calculates. */
function isQuietByWalking({ from, to, timeZone }: { from: number; to: number; timeZone: string }, now: Date): boolean {
  const wall = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  for (let at = from; at !== to; at = (at + 1) % DAY) if (clockText(at) === wall.format(now)) return true;
  return false;
}

test('a moment is quiet when walking round the dial from the begin to the end meets it, in every zone, whatever clocks do', () => {
  const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }).map((at) => new Date(at));
  fc.assert(
    fc.property(fc.record({ from: minute, to: minute, timeZone: zone }), moment, (quiet, now) => {
      fc.pre(quiet.from !== quiet.to);
      expect(isQuiet(quiet, now)).toBe(isQuietByWalking(quiet, now));
    }),
    { numRuns: 300 },
  );
});

describe('over midnight and in the night when clocks change', () => {
  const night = { from: minutesOf('22:00'), to: minutesOf('07:00'), timeZone: 'Europe/Madrid' };

  test.each([
    ['2026-11-23T20:59:00Z', false],
    ['2026-11-23T21:00:00Z', true],
    ['2026-11-24T05:59:00Z', true],
    ['2026-11-24T06:00:00Z', false],
    // Clocks change forward: the night is an hour shorter, but also ends at seven.
    ['2026-03-28T21:00:00Z', true],
    ['2026-03-29T04:59:00Z', true],
    ['2026-03-29T05:00:00Z', false],
    // Clocks change back: the night is an hour longer.
    ['2026-10-24T20:00:00Z', true],
    ['2026-10-25T05:59:00Z', true],
    ['2026-10-25T06:00:00Z', false],
  ])('%s is quiet: %s', (at, quiet) => {
    expect(isQuiet(night, new Date(at))).toBe(quiet);
  });

  test('an end within the hour that is left out ends with it, and one in the hour that comes twice ends both times', () => {
    const short = { from: minutesOf('22:00'), to: minutesOf('02:30'), timeZone: 'Europe/Madrid' };
    expect(isQuiet(short, new Date('2026-03-29T00:59:00Z'))).toBe(true);
    expect(isQuiet(short, new Date('2026-03-29T01:00:00Z'))).toBe(false);
    expect(['00:29', '00:30', '01:29', '01:30'].map((at) => isQuiet(short, new Date(`2026-10-25T${at}:00Z`)))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

test('minutes of the day and their text are one another’s inverse', () => {
  fc.assert(fc.property(minute, (at) => minutesOf(clockText(at)) === at));
});
