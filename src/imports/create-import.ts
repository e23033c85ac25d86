import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CreateImportRequest,
  type CreateImportResponseSchema,
  ImportAdminService,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { Import_Type, ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';
import { requireAudience } from '../audiences/require-audience.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { itemsOf, productInMode } from '../rewards/products/products.queries.ts';
import { toImportMessage } from './csv-import.ts';
import { type ImportQuota, requireRoomForImport } from './import-quota.ts';
import { insertImport, type NewImport } from './imports.queries.ts';

/** Creates an import that waits for its file: proto ImportAdminService.CreateImport. */
export function createImport(
  { db, principal, now }: Call,
  request: CreateImportRequest,
  quota: ImportQuota,
): Promise<MessageInitShape<typeof CreateImportResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const target = request.type === Import_Type.ACCOUNTS ? accountsOf : codesOf;
    const { fileName } = request;
    const found = await target(uow, request);
    await requireRoomForImport(uow, quota);
    const created = await insertImport(uow, { ...found, id: newId(), fileName }, now);
    const message = toImportMessage(created);
    await recordChange(uow, principal, {
      operation: ImportAdminService.method.createImport,
      schema: ImportSchema,
      id: created.id,
      after: message,
    });
    return { import: message };
  });
}

type Target = Pick<NewImport, 'type' | 'audienceId' | 'productId' | 'itemId'>;

async function accountsOf(uow: UnitOfWork, request: CreateImportRequest): Promise<Target> {
  if (request.productId !== undefined || request.itemId !== undefined) {
    throw badRequest('productId and itemId belong to PRODUCT_CODES. Leave them out for ACCOUNTS.');
  }
  const target = { type: 'ACCOUNTS', productId: undefined, itemId: undefined } as const;
  if (request.audienceId === undefined) return { ...target, audienceId: undefined };
  const audience = await requireAudience(uow, request.audienceId);
  if (audience.kind !== 'MANUAL') {
    throw new DomainError('AUDIENCE_NOT_MANUAL', 'Every account is in this audience. Name a MANUAL one, or none.');
  }
  return { ...target, audienceId: audience.id };
}

async function codesOf(uow: UnitOfWork, { audienceId, productId, itemId }: CreateImportRequest): Promise<Target> {
  if (audienceId !== undefined) throw badRequest('audienceId belongs to ACCOUNTS. Leave it out for PRODUCT_CODES.');
  if (productId === undefined)
    throw badRequest('productId is required for PRODUCT_CODES: the product that gets the codes.');
  const product = await productInMode(uow, productId, 'CODES');
  const target = { type: 'PRODUCT_CODES', audienceId: undefined, productId: product.id } as const;
  if (itemId === undefined) return { ...target, itemId: undefined };
  const items = (await itemsOf(uow, [product.id])).get(product.id) ?? [];
  const item = items.find(({ id }) => id === itemId.toLowerCase());
  if (item === undefined)
    throw badRequest(sentence`The product has no item ${itemId}. Send one of its items, or leave it out.`);
  return { ...target, itemId: item.id };
}
