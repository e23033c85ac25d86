import { Publication_PauseReasonSchema, Publication_StatusSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type Page, pagedList } from '../../persistence/lists/list-page.ts';
import { type Publication, toPublicationMessage } from './publication.ts';
import { readPublications } from './publications.queries.ts';

const FIELDS = {
  id: { kind: 'uuid', column: 'id' },
  name: { kind: 'text', column: 'name' },
  productId: { kind: 'uuid', column: 'product_id' },
  agreementId: { kind: 'uuid', column: 'agreement_id' },
  pointsCost: { kind: 'number', column: 'points_cost' },
  createdAt: { kind: 'timestamp', column: 'created_at' },
} as const;

const LIST = {
  columns: 'id, name',
  orderBy: ['name', 'id'],
  orderable: {
    name: { column: 'name' },
    pointsCost: { column: 'points_cost', nullable: true },
    createdAt: { column: 'created_at' },
  },
  searched: { ids: ['id'], parts: ['name'] },
} as const;

/** Pages of published publications, by name. */
export const publishedPage = pagedList<{ id: string }>({
  ...LIST,
  from: `(select * from publication where status = 'PUBLISHED_ON_MARKETPLACE') as published`,
  fields: FIELDS,
});

/** Pages of publications in every state, by name. */
export const publicationPage = pagedList<{ id: string }>({
  ...LIST,
  from: 'publication',
  fields: {
    ...FIELDS,
    status: { kind: 'enum', column: 'status', values: wordsOf(Publication_StatusSchema) },
    pauseReason: { kind: 'enum', column: 'pause_reason', values: wordsOf(Publication_PauseReasonSchema) },
  },
});

/** The choice of publications of a page (all by default), and whether to add the figures behind their available stock. */
type PublicationsShown = {
  readonly shows?: (publication: Publication) => boolean;
  readonly withStockFigures?: boolean;
};

/** A page with its publications at `now`. */
export async function withPublications(
  uow: UnitOfWork,
  page: Page<{ id: string }>,
  now: Date,
  { shows = () => true, withStockFigures = false }: PublicationsShown = {},
) {
  const ids = page.rows.map(({ id }) => id);
  const publications = await readPublications(uow, ids, now);
  return { ...page, rows: publications.filter(shows).map((each) => toPublicationMessage(each, withStockFigures)) };
}

function wordsOf({
  values,
}: {
  readonly values: readonly { readonly number: number; readonly name: string }[];
}): string[] {
  return values.filter(({ number }) => number !== 0).map(({ name }) => name);
}
