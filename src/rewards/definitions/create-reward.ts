import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  RewardAdminService,
  type CreateRewardRequest,
  type CreateRewardResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Reward_OnReversalSchema, RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { checkedText } from '../../kernel/text.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { type Amount, amountFromNumber, ONE } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { findChestDefinition } from '../chests/chest-definitions.queries.ts';
import { findProduct } from '../products/products.queries.ts';
import type { RewardDefinition, WholeDefinition } from './reward-definition.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { amounts, type RewardType, type TypedField, rewardTypeOf, rewardTypeRules } from './reward-types.ts';
import { type RewardEntity, rewardTable } from './reward.entity.ts';
import { refuseForeignFields, requireTypedFields, textOrNone } from './typed-fields.ts';

/** Checks the expression of an amount by the names that the modules above know. Throws DomainError `BAD_REQUEST`, naming `field`. */
export type FormulaCheck = (uow: UnitOfWork, text: string, field: string) => Promise<void>;

/** Creates a reward: proto RewardAdminService.CreateReward. */
export async function createReward(
  { db, principal }: Call,
  request: CreateRewardRequest,
  checkFormula: FormulaCheck,
): Promise<MessageInitShape<typeof CreateRewardResponseSchema>> {
  const draft = draftOf(request);
  const change = { operation: RewardAdminService.method.createReward, schema: RewardSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const reward: WholeDefinition = { ...draft, ...(await targetOf(uow, draft.type, request)) };
    const { id, name, type, amount, amountExpression, onReversal } = reward;
    if (amountExpression !== undefined) await checkFormula(uow, amountExpression, 'amountExpression');
    uow.em.create(rewardTable, { clientId: uow.clientId, id, name, type, amount, onReversal, ...typedColumns(reward) });
    await uow.em.flush();
    const after = toManagedRewardMessage(reward);
    return { id: reward.id, after };
  });
  return { reward: after };
}

/** The columns of the fields that not every type has. The most that an expression pays is the amount. */
function typedColumns(reward: RewardDefinition): {
  readonly [Field in Exclude<TypedField, 'amountMax'>]: RewardEntity[Field];
} {
  const { product, chestId, expiresInDays, amountExpression, imageUrl, description, secret } = reward;
  return {
    productId: product?.id ?? null,
    chestId: chestId ?? null,
    expiresInDays: expiresInDays ?? null,
    amountExpression: amountExpression ?? null,
    imageUrl: imageUrl ?? null,
    description: description ?? null,
    secret: secret ?? null,
  };
}

/** The fields that refer to a product or a chest. */
type Target = 'product' | 'chestId';

function draftOf(request: CreateRewardRequest): Omit<WholeDefinition, Target> {
  const type = rewardTypeOf(request.type);
  requireTypedFields(request, type);
  refuseForeignFields(request, type);
  const hasSecrets = rewardTypeRules[type].fields.secret !== 'refused';
  if (request.amountMax !== undefined && request.amountExpression === undefined)
    throw badRequest('`amountMax` is for a reward with `amountExpression`: leave it out.');
  return {
    id: newId(),
    name: checkedText(request.name, '`name`'),
    type,
    amount: request.amountExpression === undefined ? amountOf(request.amount, type) : mostPaid(request),
    expiresInDays: request.expiresInDays,
    amountExpression: request.amountExpression,
    imageUrl: textOrNone(request.imageUrl, '`imageUrl`'),
    description: textOrNone(request.description, '`description`'),
    secret: hasSecrets ? (request.secret ?? false) : undefined,
    onReversal: enumName(Reward_OnReversalSchema, request.onReversal) ?? rewardTypeRules[type].onReversal,
    version: 1,
    archivedAt: undefined,
  };
}

function amountOf(value: number, type: RewardType): Amount {
  if (value === 0) throw badRequest('`amount` must be above 0.');
  const amount = amountFromNumber(value, '`amount`');
  const { step, max } = amounts[rewardTypeRules[type].amount];
  if (amount % step === 0n && amount <= max) return amount;
  if (max === ONE) throw badRequest(sentence`The \`amount\` of a reward of type ${type} must be 1.`);
  throw badRequest(sentence`The \`amount\` of a reward of type ${type} must be a whole number from 1 to ${max / ONE}.`);
}

/** The most that an expression pays, which is stored as the amount. */
function mostPaid({ amount, amountMax }: CreateRewardRequest): Amount {
  if (amount !== 0) throw badRequest('A reward has `amount` or `amountExpression`. Send one of them.');
  if (amountMax === undefined)
    throw badRequest('A reward with `amountExpression` needs `amountMax`, the most that it pays.');
  const most = amountFromNumber(amountMax, '`amountMax`');
  if (most % ONE !== 0n) throw badRequest('`amountMax` must be a whole number: an expression pays whole points.');
  return most;
}

async function targetOf(
  uow: UnitOfWork,
  type: RewardType,
  { productId, chestId }: CreateRewardRequest,
): Promise<Pick<WholeDefinition, Target>> {
  if (chestId !== undefined) {
    const chest = await findChestDefinition(uow, chestId);
    if (chest === undefined) throw badRequest(sentence`There is no chest definition ${chestId}. Create it first.`);
    if (chest.deletedAt) throw badRequest(sentence`The chest '${chest.name}' is archived. Send another one.`);
    return { product: undefined, chestId: chest.id };
  }
  if (productId === undefined) return { product: undefined, chestId: undefined };
  const product = await findProduct(uow, productId);
  if (product === undefined) throw badRequest(sentence`There is no product ${productId}. Create it first.`);
  if (product.archived) throw badRequest(sentence`The product '${product.name}' is archived. Send another one.`);
  if (rewardTypeRules[type].stock === 'pieces' && product.fragmentsRequired === undefined) {
    throw badRequest(
      sentence`The product '${product.name}' has no fragments. Send a product that has \`fragmentsRequired\`.`,
    );
  }
  return { product, chestId: undefined };
}
