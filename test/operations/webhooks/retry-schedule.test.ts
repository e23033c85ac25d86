import { describe, expect, test } from 'vitest';
import { retryAfterMs, retryPlan } from '../../../src/webhooks/retries/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the schedule', () => {
  test('is nine retries within 24 hours, each pause up to a tenth longer or shorter', () => {
    const pauses = (random: number) =>
      Array.from({ length: 9 }, (_, failed) => retryPlan({ statusCode: 500 }, failed, random).pauseMs);
    expect(pauses(0.5)).toEqual([5_000, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR]);
    expect(pauses(0.5).reduce((sum, ms) => sum + ms)).toBeLessThan(24 * HOUR);
    expect(pauses(0)[1]).toBe(0.9 * MINUTE);
    expect(pauses(1)[1]).toBe(1.1 * MINUTE);
    expect(retryPlan({ statusCode: 500 }, 9)).toMatchObject({ retry: 'EXHAUSTED' });
    expect(retryPlan({ statusCode: 410 }, 0)).toMatchObject({ retry: 'GONE' });
  });

  test('honours Retry-After in both its forms, up to an hour, and never shortens a pause by it', () => {
    const now = new Date('2026-11-23T12:00:00Z');
    expect(retryAfterMs('120', now)).toBe(120_000);
    expect(retryAfterMs('Mon, 23 Nov 2026 12:02:00 GMT', now)).toBe(120_000);
    expect(retryAfterMs('Mon, 23 Nov 2026 11:00:00 GMT', now)).toBe(0);
    expect(retryAfterMs('soon', now)).toBeUndefined();
    expect(retryPlan({ statusCode: 429, retryAfterMs: 120_000 }, 0).pauseMs).toBe(120_000);
    expect(retryPlan({ statusCode: 429, retryAfterMs: 90 * HOUR }, 0).pauseMs).toBe(HOUR);
    expect(retryPlan({ statusCode: 429, retryAfterMs: 1_000 }, 1, 0.5).pauseMs).toBe(MINUTE);
  });
});
