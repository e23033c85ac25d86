import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Audience_Kind } from '../../../../gen/laurel/v1/audience_pb.ts';

/** The names of the kinds of audiences. */
export const audienceKinds = ['MANUAL', 'EVERYONE'] as const;

/** The kind of an audience in a word: how accounts join it. */
export function AudienceKind({ kind }: { readonly kind: Audience_Kind }) {
  const t = useTranslations('audiences');
  const everyone = kind === Audience_Kind.EVERYONE;
  return <Badge color={everyone ? 'blue' : 'gray'}>{everyone ? t('kinds.EVERYONE') : t('kinds.MANUAL')}</Badge>;
}
