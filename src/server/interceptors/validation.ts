import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Validator, type Violation } from '@bufbuild/protovalidate';
import type { Interceptor } from '@connectrpc/connect';
import { InvalidRequest } from '../rpc/invalid-request.ts';

/** Refuses a request that breaks a rule stated in its proto, before the operation sees it; of a stream, each message. */
export function validationInterceptor(): Interceptor {
  const validator = createValidator();
  return (next) => (request) => {
    if (request.stream)
      return next({ ...request, message: validated(validator, request.method.input, request.message) });
    assertValid(validator, request.method.input, request.message);
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

/** @throws InvalidRequest with every violation; the error itself if a rule cannot be evaluated, which is our fault */
function assertValid<Desc extends DescMessage>(validator: Validator, schema: Desc, message: MessageShape<Desc>): void {
  const result = validator.validate(schema, message);
  if (result.kind === 'valid') return;
  if (result.kind === 'error') throw result.error;
  throw new InvalidRequest(
    result.violations.map((violation) => ({
      field: jsonPathOf(violation),
      description: wordsOf(violation),
      violation,
    })),
  );
}

/** The field as it is spelled in JSON: `accountIds[2]`, `filters.filters[0].field`, `labels["a"]`. */
function jsonPathOf(violation: Violation): string {
  const parts = violation.field.map((element) => {
    if (element.kind === 'field') return `.${element.jsonName}`;
    if (element.kind === 'list_sub') return `[${element.index}]`;
    if (element.kind === 'map_sub') return `[${JSON.stringify(String(element.key))}]`;
    return element.kind === 'oneof' ? `.${element.name}` : `.${element.jsonName}`;
  });
  return parts.join('').replace(/^\./, '');
}

/** Protovalidate's own words, so that `externalId: value is required` reads `externalId is required`. */
function wordsOf(violation: Violation): string {
  const words = enumWordsOf(violation) ?? (violation.message || `breaks the rule ${violation.ruleId}`);
  return words.replace(/^value (?=(is|must|does|has|length)\b)/, '').replace(/\.$/, '');
}

/** Callers send the words of an enum, and protovalidate lists their numbers. */
function enumWordsOf({ field, message }: Violation): string | undefined {
  const leaf = field.findLast((element) => element.kind === 'field');
  const [, not, list] = /must (not )?be in list \[([\d, ]+)\]/.exec(message) ?? [];
  if (list === undefined || leaf?.kind !== 'field' || leaf.enum === undefined) return undefined;
  const listed = new Set(list.split(',').map(Number));
  const allowed = leaf.enum.values.filter(({ number }) => listed.has(number) === (not === undefined));
  const words = allowed.map(({ name }) => name).filter((word) => !word.endsWith('_UNSPECIFIED'));
  return `must be one of ${words.join(', ')}`;
}
