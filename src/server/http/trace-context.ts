import { randomFillSync } from 'node:crypto';
import { parseTraceparent, type SpanContext } from '../../kernel/tracing.ts';

/** Continues the caller's trace, or starts one if the header `traceparent` is missing or malformed. */
export function traceContextOf(traceparent: string | undefined): SpanContext {
  const caller = parseTraceparent(traceparent);
  if (caller === undefined) return { traceId: newTraceId(), spanId: newSpanId(), flags: '00' };
  return { ...caller, spanId: newSpanId() };
}

const pool = Buffer.alloc(8_192);
let used = pool.length;

function newTraceId(): string {
  return randomHex(16);
}

function newSpanId(): string {
  return randomHex(8);
}

/** Random bytes from a large pool: a system call for eight at a time costs ten times as much. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
