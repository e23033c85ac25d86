/** The options of a load generator. */
export type LoadOptions = {
  readonly host: string;
  readonly port: number;
  /** The protocol; HTTP/1.1 if left out. */
  readonly protocol?: 'http1' | 'grpc' | undefined;
  /** A module whose default export is a {@link RequestSource}. */
  readonly source: string;
  /** The options of the source. */
  readonly sourceOptions: unknown;
};

/** Returns a function that writes the next request, over HTTP/1.1 its whole text, head and body. It must be cheap. */
export type RequestSource<Options, Request = string> = (options: Options) => () => Request;

/** One run of the generator: the maximum number of requests within the time, on kept-alive connections. */
export type LoadTask = {
  /** Concurrent requests, over HTTP/1.1 each on a separate connection. The next is sent after the last answer. */
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests per second, without waiting for earlier answers. A request that waits for a free connection counts from its due time. If left
   * out, the rate is the maximum.
   */
  readonly rate?: number;
};

/** The result of a run. */
export type LoadReport = {
  /** Successful answers, including requests in flight at the end. */
  readonly answered: number;
  /** Successful answers per second, while all connections were sending. */
  readonly perSecond: number;
  /** Milliseconds from sending to the end of the answer. */
  readonly p50: number;
  readonly p99: number;
  /** All other answers, and the first of them. */
  readonly failures: number;
  readonly firstFailure: string | undefined;
  /** Seconds of processor time of the generator. */
  readonly processorSeconds: number;
};
