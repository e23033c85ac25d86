import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPublishedPublicationsRequest,
  ListPublishedPublicationsResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { Call } from '../../clients/call.ts';
import { availablePoints } from '../../loyalty/available-points.ts';
import { publishedPage, withPublications } from './publication-pages.ts';

/** Lists published publications, by page: proto MarketplaceService.ListPublishedPublications. */
export function listPublishedPublications(
  { db, principal, now }: Call,
  request: ListPublishedPublicationsRequest,
): Promise<MessageInitShape<typeof ListPublishedPublicationsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const available = await availablePoints(uow, request, now);
    const page = await publishedPage(uow, request);
    // A publication that was paused since the page was read is left out, not shown as a draft.
    const published = await withPublications(uow, page, now, {
      shows: ({ status }) => status === 'PUBLISHED_ON_MARKETPLACE',
    });
    if (available === undefined) return published;
    const points = amountToNumber(available);
    return {
      ...published,
      rows: published.rows.map((row) => ({ ...row, affordable: points >= (row.pointsCost ?? 0) })),
    };
  });
}
