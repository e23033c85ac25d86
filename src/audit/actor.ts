/** Who makes a change, as people will want to know it years later, when the user or the credential is long gone. */
export type Actor = {
  readonly type: 'USER' | 'CREDENTIAL';
  /** UUID of the user or credential. */
  readonly id: string;
  /** E-mail of the user, or name of the credential. */
  readonly name: string;
};

/** Who has made a call; without an actor it was the command line on the service's own host. */
export type By = { readonly actor?: Actor | undefined };
