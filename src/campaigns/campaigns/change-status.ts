import type { DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import { CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Principal } from '../../clients/principal.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { toCampaignMessage } from './campaign-message.ts';
import { withPhase } from './campaign-phase.ts';
import type { CampaignEntity } from './campaign.entity.ts';
import { type CampaignWithMissions, requireCampaign } from './campaigns.queries.ts';

type Status = CampaignEntity['status'];

/** A change of a campaign's status. */
export type StatusMove = {
  /** The operation that makes the change. */
  readonly operation: DescMethod;
  readonly to: Status;
  readonly from: readonly Status[];
  /** The fields that the change writes beside the status. */
  readonly stamp: (campaign: CampaignEntity, now: Date) => void;
  /** Throws if the campaign does not meet further conditions of the change. */
  readonly check?: (uow: UnitOfWork, campaign: CampaignWithMissions, now: Date) => Promise<void>;
};

/**
 * Changes the status of a campaign: one row and the catalogue's version, for any number of accounts, because assignments are computed from
 * them. A campaign with this status stays unchanged.
 * @param version the version that the caller has read; undefined for any version
 * @throws DomainError `CAMPAIGN_NOT_FOUND`, `VERSION_CONFLICT`, `CAMPAIGN_ENDED`, `CAMPAIGN_NOT_ACTIVE`, and the errors of `check`
 */
export async function changeStatus(
  db: Database,
  principal: Principal,
  { id, version }: { readonly id: string; readonly version?: number | undefined },
  move: StatusMove,
  now: Date,
): Promise<{ campaign: MessageInitShape<typeof CampaignSchema> }> {
  const change = { operation: move.operation, schema: CampaignSchema };
  const { after, campaign } = await changeCatalog(db, principal, change, async (uow) => {
    const { campaign, missions } = await requireCampaign(uow, id, { forChange: true });
    const before = toCampaignMessage(campaign, missions);
    if (campaign.status === move.to) return { after: before, campaign, unchanged: true };
    await requireVersion(uow, CampaignSchema, campaign, version);
    requireMove(campaign.status, move);
    await move.check?.(uow, { campaign, missions }, now);
    campaign.status = move.to;
    campaign.version += 1;
    move.stamp(campaign, now);
    await uow.em.flush();
    const after = toCampaignMessage(campaign, missions);
    return { id: campaign.id, before, after, campaign };
  });
  return { campaign: withPhase(after, campaign, now) };
}

/** Ends the current pause of a campaign, if any. */
export function resume(campaign: CampaignEntity, now: Date): void {
  campaign.pauses = campaign.pauses.map(({ from, until = Math.max(from, now.getTime()) }) => ({ from, until }));
}

function requireMove(from: Status, move: StatusMove): void {
  if (move.from.includes(from)) return;
  if (from === 'ENDED') {
    throw new DomainError('CAMPAIGN_ENDED', 'The campaign has ended for good. Create a new one from it.');
  }
  throw new DomainError('CAMPAIGN_NOT_ACTIVE', sentence`The campaign is a ${from}. Activate it first.`);
}
