import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTimeZone, localDay, zoneOffset } from '../../src/kernel/time/time-zone.ts';
import { DAY } from '../../src/kernel/time/timestamp.ts';

/** Both hemispheres; offsets of half and quarter hours; half an hour of summer time, none; a zone that moved across the date line. */
const ZONES = [
  'Europe/Madrid',
  'America/Santiago',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'UTC',
  'Pacific/Apia',
];

function offsetByTemporal(zone: string, instant: number): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

describe('the offset of a zone', () => {
  test('is the one that Temporal tells, at any instant from 1970 to 2100', () => {
    const instants = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (zone, instant) => {
        expect(zoneOffset(zone, instant)).toBe(offsetByTemporal(zone, instant));
      }),
      { numRuns: 500 },
    );
  });

  // Zones that no other test uses, so that they are not cached.
  test.each([
    ['Europe/Paris', '2026-03-29T01:00:00Z', [0, -1, 1]],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', [-1, 0, 1]],
    ['Europe/Rome', '2026-10-25T01:00:00Z', [0, -1, 1]],
    ['Europe/Vienna', '2026-10-25T01:00:00Z', [-1, 0, 1]],
    ['America/New_York', '2026-03-08T07:00:00Z', [1, -1, 0]],
    ['Pacific/Auckland', '2026-04-04T14:00:00Z', [-1, 1, 0]],
  ])('in %s changes at %s and not a millisecond off, asked in the order %j', (zone, change, order) => {
    const instant = Date.parse(change);
    for (const beside of [...order, ...order]) {
      expect(zoneOffset(zone, instant + beside)).toBe(offsetByTemporal(zone, instant + beside));
    }
    expect(zoneOffset(zone, instant - 1)).not.toBe(zoneOffset(zone, instant));
  });

  test('decides the local day: one instant, two days', () => {
    const instant = Date.parse('2026-03-01T00:30:00Z');
    expect(localDay('Europe/Madrid', instant) * DAY).toBe(Date.parse('2026-03-01'));
    expect(localDay('America/Santiago', instant) * DAY).toBe(Date.parse('2026-02-28'));
  });
});

test.each([
  ['Europe/Madrid', true],
  ['UTC', true],
  ['+02:00', true],
  ['Europe/Atlantis', false],
  ['', false],
])('that %j is a time zone is %s', (text, answer) => {
  expect(isTimeZone(text)).toBe(answer);
});
