import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Credential } from '../../../../gen/laurel/admin/v1/credential_pb.ts';

const colours = { active: 'laurel', expired: 'gray', revoked: 'red' } as const;

/** Whether a credential is still taken. */
export function KeyState({ credential }: { readonly credential: Credential }) {
  const t = useTranslations('keys.states');
  const state = stateOf(credential);
  return <Badge color={colours[state]}>{t(state)}</Badge>;
}

function stateOf({ revokedAt, expiresAt }: Credential): keyof typeof colours {
  if (revokedAt) return 'revoked';
  return expiresAt && timestampMs(expiresAt) <= Date.now() ? 'expired' : 'active';
}
