/** A caller that makes one call after the other. */
export type Caller = {
  /** Makes the next call. Calls `done` at its end: without an argument for success, otherwise with the answer. */
  call(done: (failure?: string) => void): void;
  close(): void;
};

/** The address and options of callers. */
export type CallersOptions<Request> = {
  readonly host: string;
  readonly port: number;
  /** The number of concurrent calls. */
  readonly count: number;
  readonly next: () => Request;
  /** Called when the connection is lost. */
  readonly onError: (error: Error) => void;
};

/** Opens the connections of a number of callers. */
export type OpenCallers<Request> = (options: CallersOptions<Request>) => Promise<Caller[]>;
