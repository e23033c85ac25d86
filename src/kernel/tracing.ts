import { AsyncLocalStorage } from 'node:async_hooks';

/** Names a span to other services and to what is stored (W3C Trace Context). */
export type SpanContext = {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Two hexadecimal digits; the last bit says that the trace is sampled. */
  readonly flags: string;
};

/** Values of a span, by the names of OpenTelemetry's semantic conventions. Never what a caller sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work that is timed for a trace. */
export type Span = {
  readonly context: SpanContext;
  /** False where the trace is not sampled: nothing below it needs to be told. */
  readonly isRecording: boolean;
  /** Adds attributes; those that are undefined are left out. */
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Marks it as failed. */
  fail(): void;
  end(): void;
};

/** The start of a span. */
export type NewSpan = {
  readonly name: string;
  /** SERVER: somebody called us; CLIENT: we call somebody; INTERNAL: our own work. */
  readonly kind: 'SERVER' | 'CLIENT' | 'INTERNAL';
  /** Undefined begins a trace. */
  readonly parent?: SpanContext | undefined;
  /** Further causes. */
  readonly links?: readonly SpanContext[];
  readonly attributes?: SpanAttributes;
};

/** Where spans go. */
export type Tracer = { start(span: NewSpan): Span };

let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span | undefined>();

/** From now on all spans of this process go to `next`; undefined switches tracing off, where it costs a comparison. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Begins a span; undefined while tracing is off. */
export function startSpan(span: NewSpan): Span | undefined {
  return tracer?.start(span);
}

/** The sampled span in which the caller runs; undefined where there is none, or tracing is off. */
export function currentSpan(): Span | undefined {
  if (tracer === undefined) return undefined;
  const span = current.getStore();
  return span?.isRecording === true ? span : undefined;
}

/** Runs `work` so that it, and all that it awaits, is in `span`, and in no other if that is undefined. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return tracer === undefined ? work() : current.run(span, work);
}

/** Runs `work` in `span` and ends it with the promise. */
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

/** The header that names a span. */
export function traceparentOf({ traceId, spanId, flags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}
