import type { SessionKeeper } from '../session/session-keeper.ts';
import { failureOf } from './failure.ts';

/** Has the keeper read the session again where a call says that a second factor has to be set up first: pages show the way then. */
export function noteSetupRequired(error: unknown, keeper: SessionKeeper): void {
  if (failureOf(error).code !== 'SECOND_FACTOR_SETUP_REQUIRED') return;
  // If this read fails, the next refusal triggers it again.
  void keeper.reload().catch(() => undefined);
}
