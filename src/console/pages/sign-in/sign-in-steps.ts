import type { SignInChoice } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';

/** The input, kept in memory while the person chooses a client. */
export type PasswordStep = {
  readonly email: string;
  readonly password: string;
  readonly choices: readonly SignInChoice[];
};

/** The accepted input, kept in memory until the person enters a code of the second factor. */
export type CodeStep = { readonly email: string; readonly password: string; readonly clientId?: string };
