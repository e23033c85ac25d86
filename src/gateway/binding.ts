import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { fieldPathsOf, parsePathTemplate, type PathTemplate } from './path-template.ts';
import type { Route } from './route.ts';
import { isValueMessage, isMessageOf } from './wire-form.ts';

/** A route with resolved names: the source of each field of the request. */
export type Binding = Route & {
  readonly template: PathTemplate;
  /** The target field of each variable of the template, from the request message down. */
  readonly pathFields: readonly FieldPath[];
  /** The field that holds the body; undefined for a body of `*` or none. */
  readonly bodyField: DescField | undefined;
  /** The field that is the answer; undefined for the whole response. */
  readonly responseField: DescField | undefined;
  /** Top-level fields that may be sent in the query. */
  readonly queryFields: readonly DescField[];
  /** PATCH only: the update mask of the request; derived from the keys of the body if it is not sent. */
  readonly updateMask: DescField | undefined;
};

/** A path from a field of the request message down to a leaf; never empty. */
export type FieldPath = readonly DescField[];

/** @throws Error with the RPC and the unservable part; code generation finds all of them */
export function bindingOf(route: Route): Binding {
  const { rpc } = route;
  const template = parsePathTemplate(route.path);
  const pathFields = fieldPathsOf(template).map((fieldPath) => pathFieldOf(route, fieldPath));
  const bodyField =
    route.body === '' || route.body === '*' ? undefined : fieldNamed(rpc.input, route.body, `${rpc}: body`);
  const responseField =
    route.responseBody === '' ? undefined : fieldNamed(rpc.output, route.responseBody, `${rpc}: response_body`);
  const queryFields = route.body === '*' ? [] : queryFieldsOf(rpc.input, pathFields, bodyField);
  for (const field of queryFields) assertFitsQuery(field, rpc.toString());
  const updateMask = route.httpMethod === 'PATCH' && route.body !== '' ? updateMaskOf(rpc.input) : undefined;
  return { ...route, template, pathFields, bodyField, responseField, queryFields, updateMask };
}

/** The fields from `message` down along JSON or proto names joined by dots; undefined for an unknown name. */
export function fieldPathIn(message: DescMessage, names: string): FieldPath | undefined {
  const path: DescField[] = [];
  let within: DescMessage | undefined = message;
  for (const name of names.split('.')) {
    const field: DescField | undefined = within?.fields.find((each) => each.jsonName === name || each.name === name);
    if (field === undefined) return undefined;
    path.push(field);
    within = field.fieldKind === 'message' && !isValueMessage(field.message) ? field.message : undefined;
  }
  return path;
}

function pathFieldOf(route: Route, fieldPath: string): FieldPath {
  const path = fieldPathIn(route.rpc.input, fieldPath);
  const leaf = path?.at(-1);
  const fits = leaf !== undefined && (leaf.fieldKind === 'scalar' || leaf.fieldKind === 'enum');
  if (path !== undefined && fits) return path;
  throw new Error(
    `${route.rpc}: "{${fieldPath}}" in ${route.path} must name a singular scalar or enum field of the request.`,
  );
}

function fieldNamed(message: DescMessage, name: string, where: string): DescField {
  const field = message.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${where} "${name}" is not a field of ${message.typeName}.`);
  return field;
}

function queryFieldsOf(
  message: DescMessage,
  pathFields: readonly FieldPath[],
  bodyField: DescField | undefined,
): DescField[] {
  const inThePath = new Set(pathFields.filter((path) => path.length === 1).map((path) => path[0]));
  return message.fields.filter((field) => field !== bodyField && !inThePath.has(field));
}

/** Refuses a field that neither path, query nor body can carry: it would silently be missing over REST. */
function assertFitsQuery(field: DescField, rpc: string): void {
  const listOfMessages = field.fieldKind === 'list' && field.listKind === 'message' && !isValueMessage(field.message);
  if (!listOfMessages && field.fieldKind !== 'map') return;
  throw new Error(`${rpc}: the field "${field.name}" cannot be a query parameter. Put it in the body.`);
}

function updateMaskOf(message: DescMessage): DescField | undefined {
  const field = message.fields.find((each) => each.name === 'update_mask');
  return field !== undefined && isMessageOf(field, 'google.protobuf.FieldMask') ? field : undefined;
}
