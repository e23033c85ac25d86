import { useQuery } from '@connectrpc/connect-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { MissionAdminService } from '../../../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import type { Mission } from '../../../../../gen/laurel/v1/mission_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { Page } from '../../../shell/page.tsx';
import { PageSkeleton } from '../../../shell/page-skeleton.tsx';
import { MissionEditor } from './mission-editor.tsx';

/** A stored standalone mission that is being changed. */
export function MissionEdit() {
  const { id = '' } = useParams();
  const query = useQuery(
    MissionAdminService.method.getMission,
    { id },
    { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  );
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const mission = data?.mission;
  if (error !== null) return <FailureAlert error={error} retry={() => void refetch()} />;
  if (mission === undefined) return <PageSkeleton />;
  return <Editing mission={mission} readAgain={async () => (await refetch()).data?.mission} />;
}

/** The version read at the start of editing is kept, because creating a reward meanwhile refreshes all data. */
function Editing(props: { readonly mission: Mission; readonly readAgain: () => Promise<Mission | undefined> }) {
  const t = useTranslations('campaigns');
  const [{ mission, reading }, setEdited] = useState({ mission: props.mission, reading: 0 });
  const { id, name } = mission;

  async function readAgain(): Promise<void> {
    const fresh = await props.readAgain();
    setEdited({ mission: fresh ?? mission, reading: reading + 1 });
  }

  return (
    <Page title={t('edit', { name })} back={{ to: `/campaigns/missions/${id}`, label: name }} width={860}>
      <MissionEditor
        key={reading}
        mission={mission}
        readStored={async () => (await props.readAgain()) ?? mission}
        onReload={() => void readAgain()}
      />
    </Page>
  );
}
