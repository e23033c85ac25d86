/** What a load generator is started with. */
export type LoadOptions = {
  readonly host: string;
  readonly port: number;
  /** HTTP/1.1 if left out. */
  readonly protocol?: 'http1' | 'grpc' | undefined;
  /** A module whose default export is a {@link RequestSource}. */
  readonly source: string;
  /** For the source. */
  readonly sourceOptions: unknown;
};

/** Makes a function that writes the next request, over HTTP/1.1 its whole text, head and body. It must be cheap. */
export type RequestSource<Options, Request = string> = (options: Options) => () => Request;

/** One run of the generator: as many requests as get answered in the time, on kept-alive connections. */
export type LoadTask = {
  /** Requests under way at once, over HTTP/1.1 each on a connection of its own. The next is sent when the last is answered. */
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests begun in a second, whether or not the last ones are answered. A request that must wait for a free connection
   * has been sent when it was due. As many as get answered if left out.
   */
  readonly rate?: number;
};

/** What a run has seen. */
export type LoadReport = {
  /** Answers of success, those of requests under way at the end included. */
  readonly answered: number;
  /** Answers of success in one second, while all connections were sending. */
  readonly perSecond: number;
  /** Milliseconds from sending to the end of the answer. */
  readonly p50: number;
  readonly p99: number;
  /** All other answers, and the first of them. */
  readonly failures: number;
  readonly firstFailure: string | undefined;
  /** Seconds of processor time that the generator itself took. */
  readonly processorSeconds: number;
};
