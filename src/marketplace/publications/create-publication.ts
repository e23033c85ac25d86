import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicationAdminService,
  type CreatePublicationRequest,
  type CreatePublicationResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockCatalog } from '../../clients/catalog-version.ts';
import type { Call } from '../../clients/call.ts';
import { amountFromNumber } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Product } from '../../rewards/products/product.ts';
import { findProduct } from '../../rewards/products/products.queries.ts';
import { allocate } from '../../rewards/products/stock/stock.ts';
import { lockStocks, saveStocks } from '../../rewards/products/stock/stock.queries.ts';
import { findAgreement } from '../agreements/agreements.queries.ts';
import { toPublicationMessage } from './publication.ts';
import { PublicationEntity } from './publication.entity.ts';
import { readPublication } from './publications.queries.ts';

/** Creates a publication as a DRAFT, with units of its product: proto PublicationAdminService.CreatePublication. */
export function createPublication(
  { db, principal, now }: Call,
  request: CreatePublicationRequest,
): Promise<MessageInitShape<typeof CreatePublicationResponseSchema>> {
  const { stock, pointsCost } = request;
  const draft = {
    name: checkedText(request.name, '`name`'),
    description: checkedText(request.description, '`description`'),
    pointsCost: pointsCost === undefined ? null : amountFromNumber(pointsCost, '`pointsCost`'),
    stock,
    unitsAdded: stock,
    createdAt: now,
    updatedAt: now,
  };
  return db.unitOfWork(principal.clientId, async (uow) => {
    await lockCatalog(uow);
    const product = await productOf(uow, request);
    const targets = { productId: product.id, agreementId: await agreementOf(uow, request, now) };
    const stocks = await lockStocks(uow, [product]);
    allocate(stocks.get(product.id)!, stock, '`stock`');
    await saveStocks(uow, stocks.values(), now);
    const { id } = uow.em.create(PublicationEntity, { clientId: uow.clientId, id: newId(), ...draft, ...targets });
    await uow.em.flush();
    const after = toPublicationMessage(await readPublication(uow, id, now));
    const operation = PublicationAdminService.method.createPublication;
    await recordChange(uow, principal, { operation, schema: PublicationSchema, id, after });
    return { publication: after };
  });
}

async function productOf(uow: UnitOfWork, { productId }: CreatePublicationRequest): Promise<Product> {
  const product = await findProduct(uow, productId);
  if (product === undefined) throw badRequest(sentence`There is no product ${productId}. Create it first.`);
  if (product.archived) throw badRequest(sentence`The product '${product.name}' is archived. Send another one.`);
  return product;
}

async function agreementOf(
  uow: UnitOfWork,
  { agreementId }: CreatePublicationRequest,
  now: Date,
): Promise<string | null> {
  if (agreementId === undefined) return null;
  const agreement = await findAgreement(uow, agreementId, now);
  if (agreement === undefined)
    throw badRequest(sentence`There is no agreement ${agreementId}. Create it first, or leave it out.`);
  return agreement.id;
}
