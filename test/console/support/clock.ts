const DAY = 86_400_000;

/** A clock that continues from the time to which it was set. */
export function movableClock() {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    /** Sets it to an hour of a day, some days from today; in UTC. */
    putTo(days: number, hour: number): void {
      const midnight = Math.floor(Date.now() / DAY) * DAY;
      offsetMs = midnight + days * DAY + hour * 3_600_000 - Date.now();
    },
    /** Sets it to the present. */
    putRight(): void {
      offsetMs = 0;
    },
  };
}
