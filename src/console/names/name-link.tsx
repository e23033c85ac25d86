import { Anchor, Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import type { NamedKind } from './name-loader.ts';
import { useName } from './use-name.ts';

const pages: Partial<Record<NamedKind, string>> = {
  account: '/accounts',
  agreement: '/marketplace/agreements',
  audience: '/audiences',
  campaign: '/campaigns',
  chest: '/rewards/chests',
  product: '/products',
  publication: '/marketplace/publications',
  reward: '/rewards',
};

/** The name of an id, as a link if it has a page. Empty without an id. */
export function NameLink({ kind, id }: { readonly kind: NamedKind; readonly id: string | undefined }) {
  const name = useName(kind, id ?? '');
  const page = pages[kind];
  if (id === undefined || id === '') return '–';
  if (name === '') return <Skeleton h={14} w={96} display="inline-block" />;
  if (page === undefined) return name;
  return (
    <Anchor component={Link} to={`${page}/${id}`} inherit>
      {name}
    </Anchor>
  );
}
