import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Alert, Anchor, Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { AuditAdminService } from '../../../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import type { AuditEntry } from '../../../../gen/laurel/admin/v1/audit_entry_pb.ts';
import { type Campaign, CampaignPhase_Value as Phase } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { filterOf } from '../../table/filter-of.ts';

/** Changes that are looked through for the one that moved the end. */
const LOOKED_THROUGH = 50;

const PAUSED = 'CampaignAdminService.PauseCampaign';
const ENDED = 'CampaignAdminService.EndCampaign';
const UPDATED = 'CampaignAdminService.UpdateCampaign';

/** The reason for which a campaign counts no events: an action of an operator, or its end. */
export function CampaignStop({ campaign }: { readonly campaign: Campaign }) {
  const { phase } = campaign;
  if (phase !== Phase.FINISHED && phase !== Phase.PAUSED) return null;
  return <Stopped campaign={campaign} isPaused={phase === Phase.PAUSED} />;
}

function Stopped({ campaign, isPaused }: { readonly campaign: Campaign; readonly isPaused: boolean }) {
  const t = useTranslations('campaigns.stop');
  const format = useFormatter();
  const operation = isPaused ? [PAUSED] : [ENDED, UPDATED];
  const filters = filterOf({ resourceId: [campaign.id], operation });
  const query = useQuery(AuditAdminService.method.listAuditEntries, { page: 1, limit: LOOKED_THROUGH, filters });
  const moment = (at: AuditEntry['createdAt']) => (at ? format.dateTime(timestampDate(at), 'moment') : '');
  const entries = query.data?.rows ?? [];
  const end = moment(campaign.endsAt);
  const stopped = entries.find(({ operation: name }) => name === PAUSED || name === ENDED);
  const moved = entries.find(({ operation: name, before, after }) => {
    return name === UPDATED && before?.['endsAt'] !== after?.['endsAt'];
  });
  const by = stopped ?? (campaign.endedAt ? undefined : moved);
  return (
    <Alert color={isPaused ? 'yellow' : 'gray'}>
      {/* The text depends on the operator's name; a screen reader would read a replaced sentence twice. */}
      {query.isPending ? <Skeleton h={22} w="70%" /> : sentence()}{' '}
      {by !== undefined && (
        <Anchor component={Link} to={`/audit?search=${campaign.id}`} inherit style={{ whiteSpace: 'nowrap' }}>
          {t('changes')}
        </Anchor>
      )}
    </Alert>
  );

  function sentence(): string {
    const words = { actor: by?.actorName ?? '', at: moment(by?.createdAt), end };
    if (isPaused) return by ? t('pausedBy', words) : t('paused');
    if (campaign.endedAt !== undefined) {
      const endedAt = moment(campaign.endedAt);
      if (by === undefined) return t('ended', { at: endedAt });
      return end === '' ? t('endedBy', { ...words, at: endedAt }) : t('endedEarlyBy', { ...words, at: endedAt });
    }
    if (by === undefined) return t('over', { end });
    const before = by.before?.['endsAt'];
    if (typeof before !== 'string') return t('endSetBy', words);
    return t('endMovedBy', { ...words, before: format.dateTime(new Date(before), 'moment') });
  }
}
