import type { WebhookTarget } from '../configuration/webhook-target.ts';
import type { Attempt } from '../delivery/webhook-sender.ts';

/** A message whose sending has begun, with the configuration to send it by; it belongs to this process for {@link LEASE_MS}. */
export type ClaimedMessage = WebhookTarget & {
  readonly id: string;
  readonly body: string;
  /** The span of its cause; absent where nobody traced it, and for retries. */
  readonly traceparent?: string | null;
  /** How often its sending has begun: above 1 where an earlier sender died, an earlier attempt failed, or somebody sent it again. */
  readonly attempts: number;
  /** How many retries of it have failed; 0 too for its first attempt. */
  readonly failedRetries: number;
};

/** How a claimed message ended. */
export type Outcome = { readonly message: ClaimedMessage; readonly attempt: Attempt };

/** Milliseconds after which a sender that recorded no outcome counts as dead: the 5 s of an attempt, and twice that to record it. */
export const LEASE_MS = 15_000;
