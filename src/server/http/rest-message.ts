import type { RestError } from '../rpc/error-table.ts';
import type { AnswerHeaders } from './answer.ts';

/** A REST request whose operation is found. @typeParam Context what the server hands on to the operation */
export type RestRequest<Context> = {
  /** The whole body, decompressed; undefined or empty when none was sent, or none is taken. */
  readonly body: Uint8Array | undefined;
  readonly contentType: string | undefined;
  /** A header by its name in lower case. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  readonly traceId: string;
  readonly context: Context;
};

/** The answer to a REST request. */
export type RestResponse = {
  readonly status: number;
  /** Names in lower case. `content-type` and `content-length` are set if there is a body; several `set-cookie` are a list. */
  readonly headers: AnswerHeaders;
  readonly body: string | undefined;
  /** The bytes of a long body, instead of `body`. */
  readonly pieces?: readonly Buffer[];
  /** The error that is answered; absent without one. */
  readonly failure?: RestError;
};
