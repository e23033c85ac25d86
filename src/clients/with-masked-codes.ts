import {
  clone,
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { ProductAdminService } from '../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { Redemption_RedeemableSchema } from '../../gen/laurel/v1/redemption_pb.ts';
import { RedeemedCodeSchema } from '../../gen/laurel/v1/reward_pb.ts';
import { maskedCode } from '../kernel/secrets/masked-code.ts';
import { isPerson, type Principal, principalKey } from './principal.ts';

/** The messages with a code, each as `code` with its `id`. */
const HOLDERS: readonly DescMessage[] = [Redemption_RedeemableSchema, RedeemedCodeSchema];

/** Operations that mask their codes themselves for every caller; masking twice would change the result. */
const MASKED_FOR_ALL: ReadonlySet<DescMethod> = new Set([
  PublicationAdminService.method.listPurchases,
  ProductAdminService.method.listProductRedemptions,
]);

type Handler = (request: unknown, context: HandlerContext) => unknown;

/**
 * A service that masks codes for console users, in every operation whose answer can contain codes. Systems with a key
 * or a token get whole codes. Operations without codes stay unchanged.
 */
export function withMaskedCodes<Desc extends DescService>(
  service: Desc,
  handlers: ServiceImpl<Desc>,
): ServiceImpl<Desc> {
  const all = { ...(handlers as Readonly<Record<string, Handler>>) };
  for (const method of service.methods) {
    const handler = all[method.localName];
    if (handler === undefined || MASKED_FOR_ALL.has(method) || !holdsCodes(method.output)) continue;
    all[method.localName] = (request, context) => {
      const principal = context.values.get(principalKey);
      const answer = handler(request, context);
      if (principal === undefined || !isPerson(principal)) return answer;
      if (method.methodKind === 'unary') return masked(method.output, answer);
      return eachMasked(method.output, answer as AsyncIterable<unknown>);
    };
  }
  return all as ServiceImpl<Desc>;
}

/** A message as the caller may see it: with masked codes for console users. */
export function maskedFor<Schema extends DescMessage>(
  principal: Principal,
  schema: Schema,
  message: MessageShape<Schema>,
): MessageShape<Schema> {
  if (!isPerson(principal)) return message;
  const copy = clone(schema, message);
  maskIn(reflect(schema, copy));
  return copy;
}

/** A copy with masked codes, because the original answer may be stored elsewhere. */
async function masked(schema: DescMessage, answer: unknown): Promise<Message> {
  const copy = clone(schema, create(schema, (await answer) as MessageInitShape<DescMessage>));
  maskIn(reflect(schema, copy));
  return copy;
}

async function* eachMasked(schema: DescMessage, answers: AsyncIterable<unknown>): AsyncIterable<Message> {
  for await (const answer of answers) yield masked(schema, answer);
}

function maskIn(message: ReflectMessage): void {
  const { desc } = message;
  if (HOLDERS.includes(desc)) {
    const { code, id } = desc.field;
    message.set(
      code!,
      maskedCode(message.get(code!) as string, message.isSet(id!) ? (message.get(id!) as string) : undefined),
    );
    return;
  }
  for (const field of desc.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === 'message') maskIn(message.get(field));
    if (field.fieldKind === 'list' && field.listKind === 'message')
      for (const each of message.get(field) as Iterable<ReflectMessage>) maskIn(each);
  }
}

/** Whether a message of this type can contain a code, at any depth. */
function holdsCodes(desc: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (HOLDERS.includes(desc)) return true;
  if (seen.has(desc)) return false;
  seen.add(desc);
  return desc.fields.some(({ message }) => message !== undefined && holdsCodes(message, seen));
}
