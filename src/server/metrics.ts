import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type ClientRates, createClientRates, SHOWN_MAX } from './client-rates.ts';
import type { Protocol } from './http/exchange.ts';

/** The source of the text of `/metrics`. */
export type Exposition = {
  /**
   * All metrics in Prometheus's text format.
   * @throws DomainError BUSY if the metrics of other processes do not arrive in time
   */
  text(): Promise<string>;
  /** Hands over the last counts. Call it after the end of counting. */
  close(): Promise<void>;
};

/** Makes the exposition of the metrics in `registry`, for a service with one or several processes. */
export type Expose = (registry: Registry) => Exposition;

/** The metrics of `/metrics`. Other modules register theirs in `registry`. */
export type Metrics = Exposition & {
  readonly registry: Registry;
  /**
   * Counts one answered request. `status` is in REST's terms for every protocol: a gRPC NOT_FOUND is a 404. Requests without a credential
   * have no client.
   */
  observe(request: {
    protocol: Protocol;
    route: string;
    status: number;
    seconds: number;
    clientId?: string | undefined;
  }): void;
  /** Counts applied events of a client. */
  countEvents(clientId: string, count: number): void;
  /** Registers a gauge whose value is read at each scrape. */
  watch(name: string, help: string, read: () => number): void;
};

/** The buckets in seconds, from a read in memory to the usual time limit of a caller. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The exposition of this process alone. */
const ownMetrics: Expose = (registry) => ({ text: () => registry.metrics(), close: async () => {} });

/**
 * A separate registry, so that two servers in one process do not share counters.
 * @param namesClients whether series have ids of clients: only if `/metrics` needs a token, or strangers would learn the clients
 */
export function createMetrics(expose = ownMetrics, namesClients = false): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['protocol', 'route', 'status'] as const;
  const total = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by protocol, operation and status (in REST terms for every protocol).',
    labelNames,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the arrival of the headers until the response was handed to the system.',
    labelNames,
    buckets: BUCKETS,
    registers: [registry],
  });
  const namedMax = namesClients ? SHOWN_MAX : 0;
  const requests = createClientRates(undefined, namedMax);
  const events = createClientRates(undefined, namedMax);
  showRates(registry, 'laurel_client_requests_per_second', 'Requests answered', requests);
  showRates(registry, 'laurel_client_events_per_second', 'Events applied', events);
  return {
    ...expose(registry),
    registry,
    watch(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    countEvents: events.count,
    observe({ protocol, route, status, seconds, clientId }) {
      if (clientId !== undefined) requests.count(clientId);
      const labels = { protocol, route, status };
      total.inc(labels);
      duration.observe(labels, seconds);
    },
  };
}

/** Gauges and not counters: the clients with the highest rates change, and a counter with gaps cannot be summed. */
function showRates(registry: Registry, name: string, what: string, rates: ClientRates): void {
  const gauge: Gauge<'client'> = new Gauge({
    name,
    help: `${what} in the last whole minute, per second, of the ${SHOWN_MAX} clients of each process with the most, and of all others as "other". Without LAUREL_METRICS_TOKEN all are "other".`,
    labelNames: ['client'] as const,
    registers: [registry],
    collect() {
      gauge.reset();
      for (const [client, perSecond] of rates.perSecond()) gauge.set({ client }, perSecond);
    },
  });
}
