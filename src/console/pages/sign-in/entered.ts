import type { SignInChoice } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';

/** What was entered, kept in memory while the person chooses a client. */
export type Entered = { readonly email: string; readonly password: string; readonly choices: readonly SignInChoice[] };

/** What was entered and was right, kept in memory while the person looks for a code of the second factor. */
export type WithoutCode = { readonly email: string; readonly password: string; readonly clientId?: string };
