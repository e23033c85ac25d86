/** What a load generator is started with. */
export type LoadOptions = {
  readonly host: string;
  readonly port: number;
  /** A module whose default export is a {@link RequestSource}. */
  readonly source: string;
  /** For the source. */
  readonly sourceOptions: unknown;
};

/** Makes a function that writes the next request, head and body, as HTTP/1.1 wants it. It must be cheap. */
export type RequestSource<Options> = (options: Options) => () => string;

/** One run of the generator: as many requests as get answered in the time, on kept-alive connections. */
export type LoadTask = {
  /** Each sends its next request when the last one is answered. */
  readonly connections: number;
  readonly seconds: number;
};

/** What a run has seen. */
export type LoadReport = {
  /** Answers with status 200, those of requests under way at the end included. */
  readonly answered: number;
  /** Answers with status 200 in one second, while all connections were sending. */
  readonly perSecond: number;
  /** Milliseconds from sending to the end of the answer. */
  readonly p50: number;
  readonly p99: number;
  /** Answers with another status, and the first of them. */
  readonly failures: number;
  readonly firstFailure: string | undefined;
  /** Seconds of processor time that the generator itself took. */
  readonly processorSeconds: number;
};
