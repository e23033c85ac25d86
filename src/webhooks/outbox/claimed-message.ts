import type { MessageType, WebhookTarget } from '../configuration/webhook-target.ts';
import type { Attempt } from '../delivery/webhook-sender.ts';

/** A claimed message with its receiver; it belongs to this process for {@link LEASE_MS}. */
export type ClaimedMessage = WebhookTarget & {
  readonly id: string;
  readonly type: MessageType;
  readonly body: string;
  /** The span of its cause; absent without a trace, and for retries. */
  readonly traceparent?: string | null;
  /** The number of started attempts. It exceeds 1 after a sender's death, a failed attempt, or a redelivery. */
  readonly attempts: number;
  /** The number of failed retries; 0 for the first attempt. */
  readonly failedRetries: number;
};

/** A claimed message with its finished attempt. */
export type FinishedAttempt = { readonly message: ClaimedMessage; readonly attempt: Attempt };

/** Milliseconds after which a sender that recorded no outcome counts as dead: the 5 s of an attempt, and twice that to record it. */
export const LEASE_MS = 15_000;
