import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import type { Account } from '../accounts/account.ts';
import { selectAccounts } from '../accounts/accounts.queries.ts';
import { NO_ATTRIBUTES } from '../attributes/attribute-values.ts';
import {
  accountsWithoutAssignments,
  type LoadedAccount,
  loadAccountContexts,
} from '../campaigns/assignments/account-contexts.ts';
import { saveAssignments } from '../campaigns/assignments/assignments.queries.ts';
import { nextReached } from '../campaigns/assignments/reached-accounts.queries.ts';
import type { Catalogs, ClientCatalog } from '../campaigns/catalog/catalog.ts';
import {
  continueReached,
  endReached,
  lockReachedMission,
  nextReachedMission,
} from '../campaigns/missions/reached-targets.queries.ts';
import { campaignClosing } from '../engine/apply-event.ts';
import { NO_PERIOD } from '../engine/assignment.ts';
import { isCampaignComplete } from '../engine/campaign-plan.ts';
import type { Completed, Decision } from '../engine/decision.ts';
import { completeReached } from '../engine/missions/lowered-target.ts';
import type { MissionPlan } from '../engine/missions/mission-plan.ts';
import { writeJournal } from '../journal/journal.queries.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import type { Rewardable } from './batch-trigger.ts';
import { effectDetails } from './journal-rows.ts';
import { payDecisions } from './pay-decisions.ts';

/** Accounts in one transaction: few, so that their events wait only for a moment. */
const ACCOUNTS = 50;

/**
 * Housekeeping: completes missions whose target was lowered for the accounts that have reached it, in small transactions, so that it may be
 * stopped at any point. The completion is in the transaction of its rewards, so each account is paid once. A second pass finds accounts
 * that transactions in progress have brought there under the former target.
 * @returns the number of completed assignments
 */
export async function completeReachedTargets(
  db: Database,
  clientId: string,
  now: Date,
  catalogs: Catalogs,
): Promise<number> {
  for (let total = 0; ;) {
    const completed = await db.unitOfWork(clientId, (uow) => completeNext(uow, now, catalogs));
    if (completed === undefined) return total;
    total += completed;
  }
}

/** Completes the next accounts of a mission; undefined if none is due. */
async function completeNext(uow: UnitOfWork, now: Date, catalogs: Catalogs): Promise<number | undefined> {
  const id = await nextReachedMission(uow, now);
  if (id === undefined) return undefined;
  const mission = await lockReachedMission(uow, id, now);
  if (mission === undefined) return 0;
  const catalog = await catalogs(uow);
  const plan = catalog.rules.missions.get(mission.id);
  const search = plan && { missionId: plan.missionId, target: plan.target, after: mission.after };
  const found = search && (await nextReached(uow, search, ACCOUNTS));
  if (plan === undefined || found?.last === undefined) {
    await endReached(uow, mission, now);
    return 0;
  }
  const completed = await complete(uow, catalog, plan, found.accountIds, now);
  await continueReached(uow, mission.id, found.last);
  return completed;
}

/** Completes the mission for those of the accounts for which events count now. */
async function complete(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  plan: MissionPlan,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  if (ids.length === 0) return 0;
  const locked = await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  const accounts = locked.filter(({ suspendedAt }) => suspendedAt === undefined);
  const missionIds = plan.campaign?.missionIds ?? [plan.missionId];
  const selection = { missionsOf: new Map(accounts.map(({ id }) => [id, missionIds])), periodKeys: [NO_PERIOD] };
  const events = accounts.map(({ id }) => ({ accountId: id, at: now.getTime() }));
  const known = accountsWithoutAssignments(uow, catalog, accounts, { now, events });
  const contexts = await loadAccountContexts(uow, catalog, accounts, selection, now, known);
  const decided = accounts.flatMap((account) => decide(plan, account, contexts.get(account.id)!, now) ?? []);
  await saveAssignments(
    uow,
    decided.map(({ completed }) => completed.assignment),
    now,
  );
  const paid = await payDecisions(uow, catalog, decided, now);
  await writeJournal(
    uow,
    paid.map(({ account, decisions, outcomes, completedCampaignIds }) => ({
      accountId: account.id,
      occurredAt: now,
      programmaticCode: plan.programmaticCode,
      operationId: undefined,
      effect: Effect.TARGET_LOWERED,
      details: effectDetails(decisions, completedCampaignIds, outcomes),
    })),
    'byHash',
  );
  return paid.length;
}

/** The decisions of an account that has reached the target, also in its context; undefined if it has not. */
function decide(
  plan: MissionPlan,
  account: Account,
  context: LoadedAccount,
  now: Date,
): (Rewardable & { readonly completed: Completed }) | undefined {
  const { missionId, programmaticCode, rewardIds, campaign } = plan;
  const at = now.getTime();
  const assignment = completeReached(plan, context, at);
  if (assignment === undefined) return undefined;
  const { progress: previousProgress } = context.assignments.get(missionId)!;
  context.assignments.set(missionId, assignment);
  const counted = { amount: 0n, period: undefined };
  const completed: Completed = {
    kind: 'completed',
    missionId,
    previousProgress,
    assignment,
    counted,
    rounds: 1,
    rewardIds,
  };
  const closing: Decision[] =
    campaign !== undefined && isCampaignComplete(campaign, context.assignments) ? [campaignClosing(campaign)] : [];
  // An amount that an event would state is what the account has made of the mission.
  const event = {
    programmaticCode,
    attributes: NO_ATTRIBUTES,
    amount: previousProgress,
    occurredAt: at,
    acceptedAt: at,
  };
  return { account, claim: undefined, context, event, completed, decisions: [completed, ...closing] };
}
