import { type Check, warning } from './check.ts';

/** Milliseconds of skew that are reported, as in a running service. */
const SKEW_REPORTED_MS = 1_000;

/**
 * The difference between this machine's clock and the database's. The start does not check it, because a running
 * service measures it and corrects for it.
 */
export const clockCheck: Check = {
  name: 'clock',
  async run({ query }) {
    const before = Date.now();
    // The format of a number does not depend on settings of the database.
    const [row] = await query<{ there: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as there',
    );
    const after = Date.now();
    const { there } = row!;
    // The least possible skew, because the database may have read its clock at any moment of the round trip.
    const skewMs = before > there ? before - there : Math.min(0, after - there);
    const seconds = Math.round(Math.abs(skewMs) / 1_000);
    if (Math.abs(skewMs) < SKEW_REPORTED_MS) {
      return { seen: "This machine's clock agrees with PostgreSQL's to the second.", findings: [] };
    }
    return {
      seen: '',
      findings: [
        warning(
          `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's, which counts.`,
          'Set both by NTP. The service takes the difference into account; its log lines, and rows that commands write, do not.',
        ),
      ],
    };
  },
};
