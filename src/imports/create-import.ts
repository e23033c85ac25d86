import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CreateImportRequest,
  type CreateImportResponseSchema,
  ImportAdminService,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { Import_TypeSchema, ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';
import { requireAudience } from '../audiences/require-audience.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireBackfillDays } from '../clients/backfill-days.ts';
import type { Call } from '../clients/call.ts';
import { hasPermission } from '../clients/permissions.ts';
import type { Principal } from '../clients/principal.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { enumName } from '../kernel/enum-names.ts';
import { newId } from '../kernel/ids.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { itemsOf, productInMode } from '../rewards/products/products.queries.ts';
import { backfillRewardsOf } from '../triggers/backfill/backfill.ts';
import { type ImportType, toImportMessage } from './csv-import.ts';
import { type ImportQuota, requireRoomForImport } from './import-quota.ts';
import { insertImport, type NewImport } from './imports.queries.ts';

/** Creates an import that waits for its file: proto ImportAdminService.CreateImport. */
export function createImport(
  { db, principal, now }: Call,
  request: CreateImportRequest,
  quota: ImportQuota,
): Promise<MessageInitShape<typeof CreateImportResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { fileName } = request;
    const target = TARGETS[enumName(Import_TypeSchema, request.type)!];
    const found = await target(uow, request, principal);
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

type Target = Pick<NewImport, 'type' | 'audienceId' | 'productId' | 'itemId' | 'events'>;

/** The target of each type, from the fields that belong to it. */
const TARGETS: Readonly<
  Record<ImportType, (uow: UnitOfWork, request: CreateImportRequest, principal: Principal) => Promise<Target>>
> = { ACCOUNTS: accountsOf, PRODUCT_CODES: codesOf, EVENTS: eventsOf, STATISTICS: statisticsOf };

const NO_TARGET = { audienceId: undefined, productId: undefined, itemId: undefined, events: undefined } as const;

/** @throws DomainError `BAD_REQUEST` if a field of EVENTS is sent */
function requireNoEvents({ rewards, webhooks, dryRun }: CreateImportRequest): void {
  if ([rewards, webhooks, dryRun].some((each) => each !== undefined))
    throw badRequest('rewards, webhooks and dryRun belong to EVENTS. Leave them out for other types.');
}

async function eventsOf(uow: UnitOfWork, request: CreateImportRequest, principal: Principal): Promise<Target> {
  const { audienceId, productId, itemId, webhooks = false, dryRun = false } = request;
  if ([audienceId, productId, itemId].some((each) => each !== undefined))
    throw badRequest('audienceId, productId and itemId belong to other types. Leave them out for EVENTS.');
  if (!hasPermission(principal, 'BACKFILL')) {
    throw new DomainError(
      'FORBIDDEN',
      sentence`Your role ${principal.role} does not have the permission BACKFILL, which an import of type EVENTS needs. Ask an administrator to do this.`,
    );
  }
  await requireBackfillDays(uow);
  return { ...NO_TARGET, type: 'EVENTS', events: { rewards: backfillRewardsOf(request.rewards), webhooks, dryRun } };
}

async function accountsOf(uow: UnitOfWork, request: CreateImportRequest): Promise<Target> {
  if (request.productId !== undefined || request.itemId !== undefined) {
    throw badRequest('productId and itemId belong to PRODUCT_CODES. Leave them out for ACCOUNTS.');
  }
  requireNoEvents(request);
  const target = { ...NO_TARGET, type: 'ACCOUNTS' } as const;
  if (request.audienceId === undefined) return target;
  const audience = await requireAudience(uow, request.audienceId);
  if (audience.kind !== 'MANUAL') {
    throw new DomainError('AUDIENCE_NOT_MANUAL', 'Every account is in this audience. Name a MANUAL one, or none.');
  }
  return { ...target, audienceId: audience.id };
}

async function statisticsOf(_uow: UnitOfWork, request: CreateImportRequest): Promise<Target> {
  requireNoEvents(request);
  const { audienceId, productId, itemId } = request;
  if ([audienceId, productId, itemId].some((each) => each !== undefined))
    throw badRequest('audienceId, productId and itemId belong to other types. Leave them out for STATISTICS.');
  return { ...NO_TARGET, type: 'STATISTICS' };
}

async function codesOf(uow: UnitOfWork, request: CreateImportRequest): Promise<Target> {
  const { audienceId, productId, itemId } = request;
  requireNoEvents(request);
  if (audienceId !== undefined) throw badRequest('audienceId belongs to ACCOUNTS. Leave it out for PRODUCT_CODES.');
  if (productId === undefined)
    throw badRequest('productId is required for PRODUCT_CODES: the product that gets the codes.');
  const product = await productInMode(uow, productId, 'CODES');
  const target = { ...NO_TARGET, type: 'PRODUCT_CODES', productId: product.id } as const;
  if (itemId === undefined) return target;
  const items = (await itemsOf(uow, [product.id])).get(product.id) ?? [];
  const item = items.find(({ id }) => id === itemId.toLowerCase());
  if (item === undefined)
    throw badRequest(sentence`The product has no item ${itemId}. Send one of its items, or leave it out.`);
  return { ...target, itemId: item.id };
}
