import { Gauge, type Registry } from 'prom-client';
import type { DoubtReason } from './clock-rule.ts';
import { type ClockWatch, WORDS } from './clock-watch.ts';

/** Registers a metric of the distrust of PostgreSQL's clock, by reason. */
export function doubtMetrics(registry: Registry, watch: Pick<ClockWatch, 'doubt'>): void {
  const gauge: Gauge<'reason'> = new Gauge({
    name: 'laurel_clock_doubted',
    help: "1 where PostgreSQL's clock is not trusted, so that nothing is deleted or closed for good; by reason.",
    labelNames: ['reason'] as const,
    registers: [registry],
    aggregator: 'max' as const,
    collect() {
      const reason = watch.doubt()?.reason;
      for (const each of Object.keys(WORDS) as DoubtReason[]) gauge.set({ reason: each }, each === reason ? 1 : 0);
    },
  });
}
