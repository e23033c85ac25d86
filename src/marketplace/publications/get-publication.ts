import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { toPublicationMessage } from './publication.ts';
import { readPublication } from './publications.queries.ts';

/** Returns a publication, also a draft: proto MarketplaceService.GetPublication and PublicationAdminService.GetPublication. */
export function getPublication(
  { db, principal, now }: Call,
  { id }: { readonly id: string },
): Promise<{ publication: MessageInitShape<typeof PublicationSchema> }> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    publication: toPublicationMessage(await readPublication(uow, id, now), isPerson(principal)),
  }));
}
