/** The author of a change, readable years later, when the user or the credential no longer exists. */
export type Actor =
  | {
      readonly type: 'USER' | 'CREDENTIAL';
      /** The UUID of the user or credential. */
      readonly id: string;
      /** The e-mail of the user, or the name of the credential. */
      readonly name: string;
    }
  | {
      /** `UNKNOWN`: a caller without a verified identity. */
      readonly type: 'COMMAND_LINE' | 'UNKNOWN';
      readonly id?: undefined;
      /** The operating system's user and host, or the network of an unknown caller. */
      readonly name: string;
    };

/** The author of a call; without an actor it is the service's own process. */
export type By = { readonly actor?: Actor | undefined };
