import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Validator, type Violation } from '@bufbuild/protovalidate';
import type { Interceptor } from '@connectrpc/connect';
import { badRequest, type DomainError } from '../../kernel/errors/domain-error.ts';
import { noteItemFault } from '../../kernel/errors/item-faults.ts';
import { sentence } from '../../kernel/sentence.ts';
import { type FieldFault, InvalidRequest } from '../rpc/invalid-request.ts';
import { type ItemList, itemListOf, itemsIn } from '../rpc/item-list.ts';
import { nulIn } from '../rpc/nul-text.ts';

/**
 * Refuses a request that breaks a rule of its proto, before the operation; in a stream, each such message. If items are answered one by one
 * ({@link itemListOf}), a fault concerns only its item, and the others continue.
 */
export function validationInterceptor(): Interceptor {
  const validator = createValidator();
  const lists = new Map<DescMethod, ItemList | undefined>();
  const listOf = (method: DescMethod) => {
    if (!lists.has(method)) lists.set(method, itemListOf(method));
    return lists.get(method);
  };
  return (next) => (request) => {
    if (request.stream)
      return next({ ...request, message: validated(validator, request.method.input, request.message) });
    assertValid(validator, request.method.input, request.message, listOf(request.method));
    return next(request);
  };
}

async function* validated<Desc extends DescMessage>(
  validator: Validator,
  schema: Desc,
  messages: AsyncIterable<MessageShape<Desc>>,
): AsyncIterable<MessageShape<Desc>> {
  for await (const message of messages) {
    assertValid(validator, schema, message);
    yield message;
  }
}

/** @throws InvalidRequest with every violation; the error itself if a rule cannot be evaluated, which is a bug */
function assertValid<Desc extends DescMessage>(
  validator: Validator,
  schema: Desc,
  message: MessageShape<Desc>,
  list?: ItemList,
): void {
  const result = validator.validate(schema, message);
  if (result.kind === 'error') throw result.error;
  const violations = result.kind === 'valid' ? [] : result.violations;
  const fault = list === undefined ? faultOf(message, violations) : noteItemFaults(message, violations, list);
  if (fault !== undefined) throw fault;
}

/** The faults of a message, or of an item at depth `depth` of the paths. */
function faultOf(message: object, violations: readonly Violation[], depth = 0): DomainError | undefined {
  if (violations.length > 0) {
    return new InvalidRequest(
      violations.map((violation): FieldFault => {
        return { field: jsonPathOf(violation, depth), description: wordsOf(violation), violation };
      }),
    );
  }
  const nul = nulIn(message);
  return nul === undefined
    ? undefined
    : badRequest(sentence`${nul.slice(1)} contains a NUL character. Send it without.`);
}

const NONE: readonly Violation[] = [];

/** Elements of a path that lead to an item: the list and the index. */
const TO_ITEM = 2;

/** Records the faults of items, and returns the fault of the rest of the call. */
function noteItemFaults(message: object, violations: readonly Violation[], list: ItemList): DomainError | undefined {
  const ofItems = Map.groupBy(violations, (violation) => itemIndexOf(violation, list));
  const { [list.localName]: _, ...rest } = message as Record<string, unknown>;
  let index = 0;
  for (const item of itemsIn(message, list)) {
    const fault = faultOf(item, ofItems.get(index) ?? NONE, TO_ITEM);
    if (fault !== undefined) noteItemFault(item, fault);
    index += 1;
  }
  return faultOf(rest, ofItems.get(undefined) ?? NONE);
}

/** The index of the item with the violation; undefined for a violation outside of items. */
function itemIndexOf({ field: [first, second, ...within] }: Violation, list: ItemList): number | undefined {
  if (first?.kind !== 'field' || first.number !== list.number || second?.kind !== 'list_sub') return undefined;
  return within.length > 0 ? second.index : undefined;
}

/**
 * The field as it is spelled in JSON: `accountIds[2]`, `filters.filters[0].field`, `labels["a"]`.
 * @param depth the number of leading path elements to leave out
 */
function jsonPathOf(violation: Violation, depth: number): string {
  const parts = violation.field.slice(depth).map((element) => {
    if (element.kind === 'field') return `.${element.jsonName}`;
    if (element.kind === 'list_sub') return `[${element.index}]`;
    if (element.kind === 'map_sub') return `[${JSON.stringify(String(element.key))}]`;
    return element.kind === 'oneof' ? `.${element.name}` : `.${element.jsonName}`;
  });
  return parts.join('').replace(/^\./, '');
}

/** The message of protovalidate, changed so that `externalId: value is required` reads `externalId is required`. */
function wordsOf(violation: Violation): string {
  const words = enumWordsOf(violation) ?? (violation.message || `breaks the rule ${violation.ruleId}`);
  return words.replace(/^value (?=(is|must|does|has|length)\b)/, '').replace(/\.$/, '');
}

/** The message for an enum with its words, because protovalidate lists numbers. */
function enumWordsOf({ field, message }: Violation): string | undefined {
  const leaf = field.findLast((element) => element.kind === 'field');
  const [, not, list] = /must (not )?be in list \[([\d, ]+)\]/.exec(message) ?? [];
  if (list === undefined || leaf?.kind !== 'field' || leaf.enum === undefined) return undefined;
  const listed = new Set(list.split(',').map(Number));
  const allowed = leaf.enum.values.filter(({ number }) => listed.has(number) === (not === undefined));
  const words = allowed.map(({ name }) => name).filter((word) => !word.endsWith('_UNSPECIFIED'));
  return `must be one of ${words.join(', ')}`;
}
