import type { Logger } from 'pino';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { WebhookSender } from '../delivery/webhook-sender.ts';

/** The dependencies of this module's operations. */
export type WebhooksOptions = {
  readonly secrets: SecretBox;
  readonly sender: WebhookSender;
  /** Whether settings may name loopback and private addresses; the sender must have the same value. */
  readonly allowPrivate: boolean;
  /** Whether settings that send a secret over plain http are refused; the sender must have the same value. */
  readonly requireTls: boolean;
  /** Logs secrets that are sent over plain http. */
  readonly logger: Pick<Logger, 'warn'>;
};
