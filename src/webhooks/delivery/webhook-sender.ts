import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import got, { TimeoutError } from 'got';
import type { Clock } from '../../kernel/time/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { codesIn } from '../../kernel/secrets/masked-code.ts';
import { type SecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import { sendsPlainSecret } from '../configuration/plain-secrets.ts';
import { namesSpecialAddress } from './target-address.ts';
import { createTargetAgents, ForbiddenAddress, type Resolve, type TargetAgents } from './target-agents.ts';
import { type WebhookRequest, webhookRequest } from './webhook-request.ts';
import type { SendTarget, WebhookMethod } from '../configuration/webhook-target.ts';
import { retryAfterMs } from '../retries/retry-schedule.ts';

/** One attempt with its outcome. It holds neither a secret nor the full address. */
export type Attempt = {
  /** A UUIDv7 of its start. */
  readonly id: string;
  readonly method: WebhookMethod;
  /** Scheme, host and port. */
  readonly target: string;
  readonly attemptedAt: Date;
  readonly durationMs: number;
  /**
   * DELIVERED is a 2xx answer, REFUSED any other, TIMED_OUT none (or none whole) within 5 seconds, FAILED none, or one of 2xx that
   * broke off.
   */
  readonly outcome: 'DELIVERED' | 'REFUSED' | 'TIMED_OUT' | 'FAILED';
  readonly statusCode: number | null;
  /** A code such as ECONNREFUSED; the messages of libraries may hold the address. */
  readonly error: string | null;
  /** The first bytes of the answer, secrets hidden. */
  readonly responseExcerpt: string | null;
  /** Milliseconds that the answer's Retry-After asks to wait; undefined without one. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * The request to send. `traceparent` is the header that names the span of the request; none is sent if it is absent.
 */
export type SentMessage = {
  readonly id: string;
  readonly body: string;
  readonly traceparent?: string | null;
};

export type WebhookSender = {
  /** Sends one request, once. It never rejects: an error is an outcome. */
  send(target: SendTarget, message: SentMessage): Promise<Attempt>;
};

export type WebhookSenderOptions = {
  readonly secrets: SecretBox;
  /** Whether loopback and private addresses may be called. */
  readonly allowPrivate: boolean;
  /** Whether webhooks with a secret over plain http are refused; false by default. */
  readonly requireTls?: boolean;
  /** The clock for the delivery log. */
  readonly clock: Clock;
  /** Resolves a name; the system's look-up by default. */
  readonly resolve?: Resolve;
};

/** Milliseconds from the look-up of the name to the last byte of the answer. Contract: Limits. */
const TIMEOUT_MS = 5_000;

/** The maximum of bytes of an answer that are read; after them the connection is cut, and the answer counts. */
const ANSWER_MAX = 16 * 1024;

/** The maximum of stored characters of an answer. */
const EXCERPT_MAX = 1_024;

/** The configuration is older than the TLS requirement, and would send its secret over plain http. */
class TlsRequired extends Error {
  override readonly name = 'TlsRequired';
  readonly code = 'TLS_REQUIRED';
}

/** A part of a path that is no token: a version, or words of small letters. */
const PLAIN_PART = /^(?:v\d{1,2}|[a-z._~-]{0,20})$/;

/** The address as the log has it: without login and query, and with parts of the path masked that may be tokens. */
function loggedTarget(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint);
  const parts = pathname.split('/').map((part) => (PLAIN_PART.test(part) ? part : '••••'));
  return pathname === '/' ? origin : origin + parts.join('/');
}

type Answer = Pick<Attempt, 'outcome' | 'statusCode' | 'error' | 'responseExcerpt' | 'retryAfterMs'>;

/**
 * Sends webhooks one by one, without retries, redirects or decompression, within 5 seconds; it reads at most 16 KiB of
 * the answer.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const agents = createTargetAgents(options.allowPrivate, options.resolve);
  return {
    async send(target, message) {
      const attemptedAt = options.clock();
      const started = performance.now();
      const answer = await attempt();
      return {
        id: newId(),
        method: target.method,
        target: loggedTarget(target.endpoint),
        attemptedAt,
        durationMs: Math.round(performance.now() - started),
        ...answer,
      };

      async function attempt(): Promise<Answer> {
        try {
          if (options.requireTls && sendsPlainSecret(target)) throw new TlsRequired();
          const request = webhookRequest(options.secrets, target, message, attemptedAt);
          // An address in the URL itself is never looked up, so the agents' look-up does not see it.
          if (!options.allowPrivate && namesSpecialAddress(request.url)) throw new ForbiddenAddress();
          const { retryAfter, ...answered } = await exchange(agents, target.method, request, message.body);
          return { ...answered, retryAfterMs: retryAfterMs(retryAfter, options.clock()) };
        } catch (error) {
          return { outcome: 'FAILED', statusCode: null, error: codeOf(error), responseExcerpt: null };
        }
      }
    },
  };
}

async function exchange(
  agents: TargetAgents,
  method: WebhookMethod,
  request: WebhookRequest,
  body: string,
): Promise<Answer & { retryAfter: string | undefined }> {
  const stream = got.stream(request.url, {
    method,
    headers: request.headers,
    body,
    agent: agents,
    retry: { limit: 0 },
    followRedirect: false,
    decompress: false,
    // Otherwise `http://unix:/path:/` would be a socket of this machine.
    enableUnixSockets: false,
    throwHttpErrors: false,
    timeout: { request: TIMEOUT_MS },
  });
  let statusCode: number | null = null;
  let retryAfter: string | undefined;
  stream.once('response', (response: IncomingMessage) => {
    statusCode = response.statusCode ?? null;
    retryAfter = response.headers['retry-after'];
  });
  // Node hands the socket of a switched protocol over to this code, which has to close it.
  stream.once('upgrade', (response: { statusCode: number }, socket: Socket) => {
    statusCode = response.statusCode;
    socket.destroy();
    stream.destroy();
  });
  const read = Buffer.alloc(ANSWER_MAX);
  let length = 0;
  let failure: unknown;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.copy(read, length);
      if (length === ANSWER_MAX) break;
    }
  } catch (error) {
    failure = error;
  }
  // A receiver may echo the request in its answer.
  const confidential = length === 0 ? [] : [...codesIn(JSON.parse(body)), ...request.confidential];
  const excerpt = excerptOf(read.subarray(0, length), confidential);
  return { ...answerOf(statusCode, failure, excerpt), retryAfter };
}

function answerOf(statusCode: number | null, failure: unknown, responseExcerpt: string | null): Answer {
  const error = failure === undefined ? null : codeOf(failure);
  if (failure instanceof TimeoutError) return { outcome: 'TIMED_OUT', statusCode, error, responseExcerpt };
  if (statusCode === null) return { outcome: 'FAILED', statusCode, error, responseExcerpt };
  if (statusCode < 200 || statusCode > 299) return { outcome: 'REFUSED', statusCode, error, responseExcerpt };
  // A proxy may send 200 before the receiver has answered: only a complete answer proves the delivery.
  return { outcome: error === null ? 'DELIVERED' : 'FAILED', statusCode, error, responseExcerpt };
}

/** Hides secrets before the cut, or half a secret could remain at the end. PostgreSQL's text holds no NUL. */
function excerptOf(bytes: Buffer, confidential: readonly string[]): string | null {
  if (bytes.length === 0) return null;
  const text = confidential.reduce((rest, piece) => rest.replaceAll(piece, '••••'), bytes.toString('utf8'));
  return text.replaceAll('\0', '').slice(0, EXCERPT_MAX).toWellFormed();
}

/** The code of an error, without its message: libraries put the address into it. */
function codeOf(error: unknown): string {
  if (error instanceof UnreadableSecret) return 'UNREADABLE_SECRET';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'INTERNAL';
}
