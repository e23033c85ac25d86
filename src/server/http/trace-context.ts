import { randomFillSync } from 'node:crypto';

/** The identity of one request across services (W3C Trace Context). */
export type TraceContext = {
  /** 32 hexadecimal digits: the same in every service that a call passes. */
  readonly traceId: string;
  /** 16 hexadecimal digits: this request alone. */
  readonly spanId: string;
  /** Two hexadecimal digits; the last bit says that the caller samples this trace. */
  readonly flags: string;
};

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** Continues the caller's trace, or starts one if the header `traceparent` is missing or malformed. */
export function traceContextOf(traceparent: string | undefined): TraceContext {
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const valid =
    version !== 'ff' && traceId !== NO_TRACE && parentId !== NO_SPAN && (version !== '00' || more === undefined);
  if (traceId === undefined || flags === undefined || !valid)
    return { traceId: newTraceId(), spanId: newSpanId(), flags: '00' };
  return { traceId, spanId: newSpanId(), flags };
}

/** The header that names this request to the caller. */
export function traceparentOf(trace: TraceContext): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.flags}`;
}

const pool = Buffer.alloc(8_192);
let used = pool.length;

function newTraceId(): string {
  return randomHex(16);
}

function newSpanId(): string {
  return randomHex(8);
}

/** Random bytes out of a pool that is filled seldom: asking the system for eight at a time costs ten times as much. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
