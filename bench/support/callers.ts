/**
 * One place from which calls are made, one after the other.
 */
export type Caller = {
  /** Makes the next call. Tells when it is over: nothing if it was answered with success, else what was answered. */
  call(done: (failure?: string) => void): void;
  close(): void;
};

/** Where to call, and with what. */
export type CallersOptions<Request> = {
  readonly host: string;
  readonly port: number;
  /** How many calls may be under way at once. */
  readonly count: number;
  readonly next: () => Request;
  /** The connection is gone. */
  readonly onError: (error: Error) => void;
};

/** Opens the connections of a number of callers. */
export type OpenCallers<Request> = (options: CallersOptions<Request>) => Promise<Caller[]>;
