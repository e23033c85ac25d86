import { AsyncLocalStorage } from 'node:async_hooks';

/** The identity of a span for other services and stored data (W3C Trace Context). */
export type SpanContext = {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Two hexadecimal digits; the last bit says that the trace is sampled. */
  readonly flags: string;
};

/** The attributes of a span, by the names of OpenTelemetry's semantic conventions. They contain no data from callers. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A timed piece of work in a trace. */
export type Span = {
  readonly context: SpanContext;
  /** False for an unsampled trace, whose spans need no attributes or children. */
  readonly isRecording: boolean;
  /** Adds attributes; undefined ones are left out. */
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Marks the span as failed. */
  fail(): void;
  end(): void;
};

/** The start of a span. */
export type NewSpan = {
  readonly name: string;
  /** SERVER: a request to this service; CLIENT: a request to another service; INTERNAL: work within this service. */
  readonly kind: 'SERVER' | 'CLIENT' | 'INTERNAL';
  /** The parent span; undefined begins a trace. */
  readonly parent?: SpanContext | undefined;
  /** Further causes. */
  readonly links?: readonly SpanContext[];
  readonly attributes?: SpanAttributes;
};

/** The receiver of spans. */
export type Tracer = { start(span: NewSpan): Span };

let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span | undefined>();

/** Sends all further spans of this process to `next`; undefined switches tracing off, and each span then costs one comparison. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Begins a span; undefined while tracing is off. */
export function startSpan(span: NewSpan): Span | undefined {
  return tracer?.start(span);
}

/** The sampled span of the caller; undefined without one or while tracing is off. */
export function currentSpan(): Span | undefined {
  if (tracer === undefined) return undefined;
  const span = current.getStore();
  return span?.isRecording === true ? span : undefined;
}

/** Runs `work`, and everything that it awaits, in `span`; undefined means in no span. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return tracer === undefined ? work() : current.run(span, work);
}

/** Runs `work` in `span` and ends the span with the promise. */
export async function during<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await inSpan(span, work);
  } catch (error) {
    span?.fail();
    throw error;
  } finally {
    span?.end();
  }
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** The context in a `traceparent` header; undefined if it is missing or malformed. */
export function parseTraceparent(traceparent: string | null | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const valid =
    version !== 'ff' && traceId !== NO_TRACE && spanId !== NO_SPAN && (version !== '00' || more === undefined);
  return valid ? { traceId, spanId, flags } : undefined;
}

/** The `traceparent` header of a span. */
export function traceparentOf({ traceId, spanId, flags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}
