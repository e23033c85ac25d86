import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Audience_Kind } from '../../../../gen/laurel/v1/audience_pb.ts';

/** The names of the kinds of audiences. */
export const audienceKinds = ['MANUAL', 'EVERYONE', 'RULE'] as const;

const colors = { MANUAL: 'gray', EVERYONE: 'blue', RULE: 'grape' } as const;

/** The kind of an audience in a word: how accounts join it. */
export function AudienceKind({ kind }: { readonly kind: Audience_Kind }) {
  const t = useTranslations('audiences');
  const name = audienceKinds.find((each) => Audience_Kind[each] === kind) ?? 'MANUAL';
  return <Badge color={colors[name]}>{t(`kinds.${name}`)}</Badge>;
}
