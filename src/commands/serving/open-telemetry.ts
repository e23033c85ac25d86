import { diag, DiagLogLevel, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Span, SpanAttributes, SpanContext, Tracer } from '../../kernel/tracing.ts';

/** Milliseconds for sending the last spans: an unreachable receiver must not delay the end of the process. */
const STOP_MS = 2_000;

/** The most links of one span: a batch may have two hundred events. */
const LINKS_MAX = 256;

/**
 * A tracer on OpenTelemetry's library. The receiver, the sampling and the service's name come from its variables (`OTEL_...`). Spans wait
 * in a bounded queue and are dropped if the receiver is unreachable or slow.
 * @throws Error with a text for an operator if the sampler is invalid
 */
export function openTelemetry(
  env: NodeJS.ProcessEnv,
  logger: Logger,
): { readonly tracer: Tracer; stop(): Promise<void> } {
  // Rare messages of the library, such as an unreachable receiver; at level `warn` it repeats them for each attempt.
  const logWarning = (message: string) => logger.warn({ detail: message }, 'traces: OpenTelemetry says');
  diag.setLogger({ error: logWarning, warn: logWarning, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
  const provider = new TracerProvider({
    sampler: samplerOf(env),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'laurel' }))
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(env['OTEL_SERVICE_NAME'] ? { 'service.name': env['OTEL_SERVICE_NAME'] } : {})),
    spanLimits: { linkCountLimit: LINKS_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...(env['OTEL_BSP_SCHEDULE_DELAY'] && { scheduledDelayMillis: Number(env['OTEL_BSP_SCHEDULE_DELAY']) }),
        ...(env['OTEL_BSP_MAX_QUEUE_SIZE'] && { maxQueueSize: Number(env['OTEL_BSP_MAX_QUEUE_SIZE']) }),
      }),
    ],
  });
  const own = provider.getTracer('laurel');
  return {
    tracer: {
      start({ name, kind, parent, links = [], attributes = {} }) {
        const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(parent));
        const span = own.startSpan(
          name,
          {
            kind: SpanKind[kind],
            links: links.map((link): Link => ({ context: remote(link) })),
            attributes: defined(attributes),
          },
          context,
        );
        return spanOf(span);
      },
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_MS)));
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
      diag.disable();
    },
  };
}

function spanOf(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: { traceId, spanId, flags: traceFlags.toString(16).padStart(2, '0') },
    isRecording: span.isRecording(),
    set: (attributes) => void span.setAttributes(defined(attributes)),
    rename: (name) => void span.updateName(name),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}

function remote({ traceId, spanId, flags }: SpanContext) {
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function defined(attributes: SpanAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
  );
}

/** The sampler by OpenTelemetry's names; the default samples every trace unless the caller decides otherwise. */
function samplerOf(env: NodeJS.ProcessEnv): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1);
  if (kind === undefined || !(ratio >= 0 && ratio <= 1)) {
    throw new Error(
      `OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, with parentbased_ in front or not, and OTEL_TRACES_SAMPLER_ARG a number from 0 to 1; not '${name}' with '${env['OTEL_TRACES_SAMPLER_ARG'] ?? ''}'.`,
    );
  }
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[kind as 'always_on' | 'always_off' | 'traceidratio']();
  return parent === undefined ? root : new ParentBasedSampler({ root });
}
