import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Channels } from '../delivery/send-alert.ts';

/** The dependencies of this module's operations. */
export type AlertOptions = Channels & {
  readonly secrets: SecretBox;
  /** Whether the endpoint may be in a private network and without TLS; the sender must have the same value. */
  readonly allowPrivate: boolean;
};
