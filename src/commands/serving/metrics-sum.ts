import { type Aggregator, AggregatorRegistry } from 'prom-client';
import type { Snapshot } from './metrics-messages.ts';

/** The metrics of several processes as one. */
export type MetricsSum = {
  /** Keeps the counters and histograms of a dead process. Its gauges are dropped. */
  keep(last: Snapshot): void;
  /**
   * The sum of kept and current metrics, in Prometheus's text format. No counter is less than in the previous text. Call it once at a time.
   * @param dead the metrics of dead processes that are not kept yet; only counters and histograms count
   */
  text(living: readonly Snapshot[], dead: readonly Snapshot[]): Promise<string>;
};

type Metric = Snapshot[number];

/**
 * Metrics that are not summed, because a sum would not help an operator: the slowest event loop, the process nearest to
 * its limit of files, and the one clock of the machine.
 */
const AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  process_start_time_seconds: 'min',
  process_open_fds: 'max',
  process_max_fds: 'min',
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  laurel_clock_skew_seconds: 'average',
};

/** Creates an empty sum. */
export function createMetricsSum(): MetricsSum {
  /** The first element is the sum of earlier ones. */
  const kept: Snapshot[] = [];
  const shown = new Map<string, number>();

  /**
   * Returns a counter that never falls. Sums of fractions depend on their order, which changes when a process dies. Prometheus takes the
   * smallest fall for a reset and adds the whole counter again.
   */
  function neverFalling({ name, value, ...sample }: Sample): number {
    const key = `${name} ${JSON.stringify(sample)}`;
    const most = Math.max(value, shown.get(key) ?? value);
    shown.set(key, most);
    return most;
  }

  return {
    keep(last) {
      kept.push(counted(last));
    },
    async text(living, dead) {
      const added = kept.length;
      const gone = await addUp([...kept, ...dead.map(counted)]);
      if (added > 1) kept.splice(0, added, await addUp(kept.slice(0, added)));
      const all = (await addUp([...living, gone])).map((metric) =>
        isCounted(metric) ? { ...metric, values: metric.values.map((sample) => rise(metric, sample)) } : metric,
      );
      return AggregatorRegistry.aggregate([all]).metrics();
    },
  };

  function rise({ name }: Metric, sample: Metric['values'][number]): Metric['values'][number] {
    const { metricName, labels, value } = sample as Metric['values'][number] & { metricName?: string };
    return { ...sample, value: neverFalling({ name, metricName, labels, value }) };
  }
}

/** One value of a metric. */
type Sample = {
  readonly name: string;
  /** The part of a histogram; undefined for other metrics. */
  readonly metricName: string | undefined;
  readonly labels: object;
  readonly value: number;
};

function isCounted({ type }: Metric): boolean {
  return ['counter', 'histogram'].includes(String(type));
}

function counted(snapshot: Snapshot): Snapshot {
  return snapshot.filter(isCounted);
}

/** One metric for each name, in the order of first occurrence. */
function addUp(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const chosen = snapshots.map((snapshot) =>
    snapshot.map((metric) => ({ ...metric, aggregator: AGGREGATORS[metric.name] ?? metric.aggregator })),
  );
  return AggregatorRegistry.aggregate(chosen).getMetricsAsJSON();
}
