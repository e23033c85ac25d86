import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type CampaignAccountSchema,
  type ListCampaignAccountsRequest,
  ListCampaignAccountsRequest_Step as Step,
  type ListCampaignAccountsResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type Account, toAccountMessage } from '../../accounts/account.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import type { Call } from '../../clients/call.ts';
import { NO_PERIOD } from '../../engine/assignment.ts';
import { isCountOfPeriods } from '../../engine/missions/mission-types.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import {
  type CampaignAccountRow,
  closedPage,
  completedMissionPage,
  completedPage,
  startedPage,
  startedPeriodsPage,
} from './campaign-accounts.queries.ts';
import { type CampaignWithMissions, requireCampaign } from '../campaigns/campaigns.queries.ts';

/** Lists the accounts of one step of the funnel by page: proto CampaignAdminService.ListCampaignAccounts. */
export function listCampaignAccounts(
  { db, principal }: Call,
  { campaignId, missionId, step, ...request }: ListCampaignAccountsRequest,
): Promise<MessageInitShape<typeof ListCampaignAccountsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const stored = await requireCampaign(uow, campaignId);
    const { list, only } =
      missionId === undefined ? ofCampaign(stored, step) : ofMission(stored, missionId.toLowerCase(), step);
    const page = await list(uow, { ...request, only });
    const ids = page.rows.map((row) => row.id);
    const known = await selectAccounts(uow, { ids, externalIds: [] });
    const accounts = new Map(known.map((account) => [account.id, account]));
    return { ...page, rows: page.rows.map((row) => toCampaignAccountMessage(row, accounts.get(row.id))) };
  });
}

function ofCampaign({ campaign: { id } }: CampaignWithMissions, step: Step) {
  if (step === Step.STARTED)
    throw badRequest(sentence`'missionId' is required for the step STARTED. Send it, or the step COMPLETED or CLOSED.`);
  return { list: step === Step.CLOSED ? closedPage : completedPage, only: { campaign_id: id } };
}

function ofMission({ missions }: CampaignWithMissions, missionId: string, step: Step) {
  const mission = missions.find(({ id }) => id === missionId);
  if (mission === undefined) throw badRequest(sentence`'missionId' names no mission of this campaign: ${missionId}.`);
  if (step === Step.CLOSED)
    throw badRequest(sentence`'missionId' does not go with the step CLOSED, which is of the campaign. Leave it out.`);
  const started = isCountOfPeriods(mission, NO_PERIOD) ? startedPeriodsPage : startedPage;
  return { list: step === Step.STARTED ? started : completedMissionPage, only: { mission_id: mission.id } };
}

function toCampaignAccountMessage(
  row: CampaignAccountRow,
  account: Account | undefined,
): MessageInitShape<typeof CampaignAccountSchema> {
  return {
    account: account === undefined ? { id: row.id } : toAccountMessage(account),
    startedAt: row.started_at === null ? undefined : timestampFromDate(row.started_at),
    completedAt: row.completed_at === null ? undefined : timestampFromDate(row.completed_at),
    closedAt: row.closed_at === null ? undefined : timestampFromDate(row.closed_at),
  };
}
