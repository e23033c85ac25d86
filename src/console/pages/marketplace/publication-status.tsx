import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import {
  type Publication,
  Publication_PauseReason,
  Publication_Status,
} from '../../../../gen/laurel/v1/marketplace_pb.ts';

import { sellable } from './sellable.ts';

/** The states by which publications are sought. */
export const publicationStatuses = ['PUBLISHED_ON_MARKETPLACE', 'DRAFT'] as const;

/** Whether a publication can be bought; if it no longer can, why. */
export function PublicationStatus({ publication }: { readonly publication: Publication }) {
  const t = useTranslations('marketplace.states');
  if (publication.status === Publication_Status.PUBLISHED_ON_MARKETPLACE) {
    if (sellable(publication) > 0) return <Badge variant="filled">{t('published')}</Badge>;
    const held =
      publication.availableStock === 0 && publication.reserved === publication.stock && publication.stock > 0;
    return <Badge color="yellow">{t(held ? 'publishedHeldBack' : 'publishedEmpty')}</Badge>;
  }
  // It has units again, so it is no longer sold out.
  if (publication.pauseReason !== undefined && sellable(publication) > 0)
    return <Badge color="yellow">{t('unpublished')}</Badge>;
  switch (publication.pauseReason) {
    case Publication_PauseReason.PUBLICATION_OUT_OF_STOCK:
      return <Badge color="red">{t('soldOut')}</Badge>;
    case Publication_PauseReason.AGREEMENT_OUT_OF_STOCK:
      return <Badge color="red">{t('agreementSoldOut')}</Badge>;
    case Publication_PauseReason.MANUAL:
      return <Badge color="yellow">{t('unpublished')}</Badge>;
    default:
      return <Badge color="gray">{t('draft')}</Badge>;
  }
}
