import type { DescField, DescMethod } from '@bufbuild/protobuf';
import { operationIdField } from '../../server/rpc/operation-id-field.ts';
import type { Binding, FieldPath } from '../binding.ts';
import { takenFormOf } from '../taken-form.ts';
import { isJsonParameter } from '../wire-form.ts';
import type { ErrorExtensions, FieldOptions, PermissionExtensions, RepeatExtension } from '../route.ts';
import { declaredErrors, inWords } from './declared-errors.ts';
import { isRequired } from './openapi-constraints.ts';
import type { Components } from './openapi-components.ts';
import { errorResponsesOf } from './openapi-errors.ts';
import { answeredExample, exampleOfField, sentExample } from './openapi-examples.ts';
import { successHeaders, unchangedAnswer } from './openapi-headers.ts';
import type { Schemas } from './openapi-schemas.ts';
import type { JsonSchema, Parameter, Response } from './openapi-types.ts';
import { neededPermission, tokenPermission } from './needed-permission.ts';
import { securityOf } from './openapi-security.ts';
import { isOurs, type RepeatPolicy, repeatPolicy } from './repeat-policy.ts';
import { commentOf, summaryOf } from './proto-comments.ts';

/** The document and the options of an operation. */
export type Document = {
  readonly schemas: Schemas;
  readonly components: Components;
  readonly options: FieldOptions & ErrorExtensions & PermissionExtensions & RepeatExtension;
};

/** One operation of the document. */
export function operationOf(binding: Binding, { schemas, components, options }: Document): Record<string, unknown> {
  const { operationId } = binding;
  const comment = commentOf(binding.rpc);
  const errors = declaredErrors(binding, options);
  const stated = neededPermission(binding.rpc, options);
  const permission = stated === 'ANYONE' ? undefined : stated;
  const security = securityOf(binding.rpc, options);
  const ofToken = tokenPermission(binding.rpc, options);
  const needs = [
    permission === undefined ? '' : `Needs the permission ${permission}.`,
    ofToken === undefined ? '' : `An account token needs ${ofToken}.`,
  ]
    .filter((words) => words !== '')
    .join(' ');
  const description = [comment, cloudEventsOf(binding), needs, inWords(errors)]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
  const parameters = [
    ...pathParameters(binding, schemas),
    ...queryParameters(binding, schemas),
    ...idempotencyKey(binding, schemas),
  ];
  const requestBody = requestBodyOf(binding, schemas, components);
  return {
    operationId,
    tags: [tagOf(binding)],
    summary: summaryOf(comment) || binding.rpc.name,
    ...(description === '' ? {} : { description }),
    ...(permission === undefined ? {} : { 'x-permission': permission }),
    ...(ofToken === undefined ? {} : { 'x-account-token': ofToken }),
    ...repeatOf(binding.rpc, options),
    ...(security === undefined ? {} : { security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [binding.successStatus]: successOf(binding, { schemas, components, options }),
      ...unchangedAnswer(binding),
      ...errorResponsesOf(errors, options, components),
    },
  };
}

/** The policy of repeats. Services of other makers, as in tests, state none. */
function repeatOf(rpc: DescMethod, { repeat }: RepeatExtension): { 'x-repeat'?: RepeatPolicy } {
  return repeat === undefined || !isOurs(rpc) ? {} : { 'x-repeat': repeatPolicy(rpc, repeat) };
}

/** The group of an operation: its service. */
export function tagOf({ rpc }: Pick<Binding, 'rpc'>): string {
  return rpc.parent.name.replace(/(?<=.)Service$/, '');
}

/** The path in OpenAPI's form: `/accounts/{accountId}`. */
export function pathOf(binding: Binding): string {
  const fields = binding.pathFields.values();
  const parts = binding.template.map((segment) =>
    segment.kind === 'literal' ? segment.text : `{${parameterName(fields.next().value ?? [])}}`,
  );
  return `/${parts.join('/')}`;
}

function parameterName(path: FieldPath): string {
  return path.map((field) => field.jsonName).join('.');
}

function pathParameters(binding: Binding, schemas: Schemas): Parameter[] {
  return binding.pathFields.map((path) => {
    const field = path.at(-1) as DescField;
    return {
      name: parameterName(path),
      in: 'path',
      required: true,
      ...descriptionOf(field),
      schema: schemas.valueOf(field),
      example: exampleOfField(field),
    };
  });
}

function queryParameters(binding: Binding, schemas: Schemas): Parameter[] {
  return binding.queryFields.map((field) => {
    const schema = schemas.valueOf(field);
    return {
      name: field.jsonName,
      in: 'query',
      ...(isRequired(field) ? { required: true } : {}),
      ...descriptionOf(field),
      schema: isJsonParameter(field) ? jsonText(schema) : schema,
      ...(isShown(field) ? { example: exampleOfField(field) } : {}),
    };
  });
}

/** Whether an example needs the parameter: it is required, or another parameter depends on it. Others would change the answer. */
function isShown(field: DescField): boolean {
  return isRequired(field) || field.jsonName === 'idType';
}

/**
 * A JSON object, described as text because generated clients ignore `content` or send `[object Object]`: callers write `JSON.stringify({
 * filters: […] })`.
 */
function jsonText(contentSchema: JsonSchema): JsonSchema {
  return { type: 'string', contentMediaType: 'application/json', contentSchema };
}

/** The header for the operation id, if the request has one. */
function idempotencyKey({ rpc }: Binding, schemas: Schemas): Parameter[] {
  const idField = operationIdField(rpc);
  if (idField?.kind !== 'one') return [];
  const description =
    'Instead of `operationId`, or the same as it: the key as it is, or as a quoted string ("key"). Printable ASCII.';
  const schema = { ...schemas.valueOf(idField.field), minLength: 1 };
  return [{ name: 'Idempotency-Key', in: 'header', description, schema }];
}

function requestBodyOf(
  binding: Binding,
  schemas: Schemas,
  components: Components,
): Record<string, unknown> | undefined {
  if (binding.body === '') return undefined;
  const { schema, fields } = bodyOf(binding, schemas);
  const required = fields.some(isRequired);
  const { bodyField, rpc } = binding;
  const example = sentExample(rpc.input, bodyField === undefined ? fields : [bodyField]);
  const value = bodyField === undefined ? example : example[bodyField.jsonName];
  const content = components.json(schema, nameOf(schema, `${rpc.name}Body`), value);
  return { ...(required ? { required } : {}), content };
}

/**
 * A paragraph about CloudEvents, where the route takes them. It is no second media type of the body: orval then sends its calls without a
 * content type.
 */
function cloudEventsOf(binding: Binding): string {
  const form = takenFormOf(binding);
  if (form === undefined) return '';
  const [subject, mediaType] =
    form === 'batch'
      ? ['The body may be an array of CloudEvents 1.0', '`application/cloudevents-batch+json`']
      : ['The body may be a CloudEvent 1.0', '`application/cloudevents+json`, or in the headers `ce-…`'];
  return (
    `${subject}, as ${mediaType}: \`type\` is the code, \`subject\` the external id of the account, \`time\` the \`occurredAt\`, ` +
    '`data` the `metadata`; `source` and `id` together are the operation id.'
  );
}

/** The body's schema and its fields, some of which may be required. */
function bodyOf(binding: Binding, schemas: Schemas): { schema: JsonSchema; fields: readonly DescField[] } {
  const { bodyField, pathFields, rpc } = binding;
  if (bodyField !== undefined) {
    return { schema: schemas.valueOf(bodyField), fields: bodyField.message?.fields ?? [bodyField] };
  }
  const inThePath = new Set(pathFields.filter((path) => path.length === 1).flat());
  const fields = rpc.input.fields.filter((field) => !inThePath.has(field));
  if (inThePath.size === 0) return { schema: schemas.messageRef(rpc.input), fields };
  return { schema: schemas.partRef(`${rpc.name}Body`, rpc.input, fields), fields };
}

function successOf(binding: Binding, { schemas, components, options }: Document): Response {
  const { operationId, rpc, responseField, successStatus } = binding;
  const description = commentOf(rpc.output) || 'Success.';
  const headers = successHeaders(binding);
  const example = answeredExample(binding, options);
  if (successStatus === 204 || example === undefined) return { description, headers };
  const schema = responseField === undefined ? schemas.messageRef(rpc.output) : schemas.valueOf(responseField);
  return { description, headers, content: components.json(schema, nameOf(schema, `${operationId}Answer`), example) };
}

function descriptionOf(field: DescField): { description?: string } {
  const description = commentOf(field);
  return description === '' ? {} : { description };
}

/** The name of a referenced schema; `otherwise` for others. */
function nameOf(schema: JsonSchema, otherwise: string): string {
  return typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? otherwise) : otherwise;
}
