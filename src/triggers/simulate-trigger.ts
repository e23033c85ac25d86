import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SimulatedMissionSchema } from '../../gen/laurel/v1/trigger_pb.ts';
import type { SimulateTriggerRequest, SimulateTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { SimulatedMission_Reason as Reason } from '../../gen/laurel/v1/trigger_pb.ts';
import { findAccountToRead } from '../accounts/find-account-to-read.ts';
import { progressedMission } from '../campaigns/assignments/assignment-message.ts';
import type { Catalogs, ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { liveAccounts } from '../campaigns/feed/live-accounts.ts';
import type { Call } from '../clients/call.ts';
import { applySteps } from '../engine/apply-event.ts';
import { type Decision, ignoreReasons, type IgnoreReason } from '../engine/decision.ts';
import { unstoredAccount } from '../accounts/account.ts';
import { inSlices } from '../kernel/slices.ts';
import { eventOf } from './event-of.ts';

/** The contract's word for each of the engine's; several of the engine's are one to a person who wonders. */
const REASONS: Record<IgnoreReason, Reason> = {
  WRONG_EVENT: Reason.REASON_UNSPECIFIED,
  CAMPAIGN_NOT_ACTIVE: Reason.CAMPAIGN_NOT_ACTIVE,
  NOT_IN_AUDIENCE: Reason.NOT_IN_AUDIENCE,
  NOT_STARTED: Reason.OUTSIDE_WINDOW,
  EXPIRED: Reason.EXPIRED,
  ALREADY_COMPLETED: Reason.ALREADY_COMPLETED,
  PREREQUISITE_MISSING: Reason.PREREQUISITE_MISSING,
  NOT_POSITIVE: Reason.BELOW_MINIMUM,
  BELOW_MINIMUM: Reason.BELOW_MINIMUM,
  ABOVE_MAXIMUM: Reason.ABOVE_MAXIMUM,
  OUTSIDE_HOURS: Reason.OUTSIDE_WINDOW,
  CAP_REACHED: Reason.CAP_REACHED,
  PERIOD_KEPT: Reason.CAP_REACHED,
  TOO_LATE: Reason.EXPIRED,
};

/**
 * Tells what an event would do to each mission that counts its code, and why nothing where nothing: proto
 * TriggerService.SimulateTrigger. Writes nothing: an unknown external id is judged as the new account it would become.
 */
export function simulateTrigger(
  { db, principal, clock }: Call,
  request: SimulateTriggerRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof SimulateTriggerResponseSchema>> {
  const trigger = request.trigger!;
  const now = clock();
  return db.unitOfWork(principal.clientId, async (uow) => {
    const catalog = await catalogs(uow);
    const event = eventOf(trigger, catalog, now);
    const found = await findAccountToRead(uow, { accountId: trigger.accountId, idType: trigger.idType });
    const account = found ?? unstoredAccount(trigger.accountId, now);
    const live = (await liveAccounts(uow, catalog, [account], {})).get(account.id)!;
    const plans = [...catalog.rules.missions.values()].filter(
      (plan) => plan.programmaticCode === event.programmaticCode,
    );
    const decisions = await inSlices(applySteps(plans, live, event, now.getTime()));
    return { missions: decisions.flatMap((decision) => simulated(catalog, decision)) };
  });
}

/** Decisions about whole campaigns are left out: the simulator answers by mission. */
function simulated(catalog: ClientCatalog, decision: Decision): MessageInitShape<typeof SimulatedMissionSchema>[] {
  if (!('missionId' in decision) || decision.kind === 'occurrenceCounted') return [];
  const { missionId } = decision;
  const name = catalog.missions.get(missionId)?.name ?? '';
  if (decision.kind === 'ignored') {
    return [{ missionId, name, reason: REASONS[decision.reason], explanation: ignoreReasons[decision.reason] }];
  }
  const explanation =
    decision.kind === 'completed' ? 'The event would complete the mission.' : 'The event would count.';
  return [{ missionId, name, progress: progressedMission(catalog, decision), explanation }];
}
