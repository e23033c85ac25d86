/** Who makes a change, as people will want to know it years later, when the user or the credential is long gone. */
export type Actor =
  | {
      readonly type: 'USER' | 'CREDENTIAL';
      /** UUID of the user or credential. */
      readonly id: string;
      /** E-mail of the user, or name of the credential. */
      readonly name: string;
    }
  | {
      /** `UNKNOWN`: somebody who has not shown who they are. */
      readonly type: 'COMMAND_LINE' | 'UNKNOWN';
      readonly id?: undefined;
      /** The operating system's user and host, or the network that somebody unknown came from. */
      readonly name: string;
    };

/** Who has made a call; without an actor it was the service's own process. */
export type By = { readonly actor?: Actor | undefined };
