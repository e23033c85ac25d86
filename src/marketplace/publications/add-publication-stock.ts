import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicationAdminService,
  type AddPublicationStockRequest,
  type AddPublicationStockResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { toPublicationMessage } from './publication.ts';
import { addPublicationUnits, readPublication } from './publications.queries.ts';
import { stockTooLarge } from '../stock-limit.ts';

/** Adds units to a publication: proto PublicationAdminService.AddPublicationStock. */
export function addPublicationStock(
  { db, principal, now }: Call,
  { id, quantity }: AddPublicationStockRequest,
): Promise<MessageInitShape<typeof AddPublicationStockResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const before = toPublicationMessage(await readPublication(uow, id, now));
    if (!(await addPublicationUnits(uow, id, quantity, now))) throw stockTooLarge('A publication');
    const after = toPublicationMessage(await readPublication(uow, id, now));
    await recordChange(uow, principal, {
      operation: PublicationAdminService.method.addPublicationStock,
      ...{ schema: PublicationSchema, id: after.id, before, after, note: `${quantity} units added.` },
    });
    return { publication: after };
  });
}
