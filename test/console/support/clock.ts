const DAY = 86_400_000;

/** A clock that goes on from wherever it was put. */
export function movableClock() {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    /** Puts it to an hour of a day, so many days from today; in UTC. */
    putTo(days: number, hour: number): void {
      const midnight = Math.floor(Date.now() / DAY) * DAY;
      offsetMs = midnight + days * DAY + hour * 3_600_000 - Date.now();
    },
    /** Puts it to the present. */
    putRight(): void {
      offsetMs = 0;
    },
  };
}
