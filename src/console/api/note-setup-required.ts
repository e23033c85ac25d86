import type { SessionKeeper } from '../session/session-keeper.ts';
import { failureOf } from './failure.ts';

/** Makes the keeper read the session again after a call that requires the setup of a second factor. Then pages lead to the setup. */
export function noteSetupRequired(error: unknown, keeper: SessionKeeper): void {
  if (failureOf(error).code !== 'SECOND_FACTOR_SETUP_REQUIRED') return;
  // If this read fails, the next refusal triggers it again.
  void keeper.reload().catch(() => undefined);
}
