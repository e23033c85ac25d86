/** The answer to a REST request. */
export type RestResponse = {
  readonly status: number;
  /** Names in lower case. `content-type` and `content-length` are set if there is a body; several `set-cookie` are a list. */
  readonly headers: Record<string, string | string[]>;
  readonly body: string | undefined;
  /** The bytes of a long body, instead of `body`. */
  readonly pieces?: readonly Buffer[];
};
