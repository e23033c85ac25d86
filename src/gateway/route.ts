import {
  type DescExtension,
  type DescField,
  type DescMethod,
  type DescMethodUnary,
  getOption,
  hasOption,
  type Registry,
} from '@bufbuild/protobuf';
// Types only: code generation reads this file while `gen/` is empty.
import type { ErrorCodeName } from '../kernel/errors/error-codes.ts';

/**
 * One way to call an operation over REST, as defined in its proto by `google.api.http` and `laurel.http.v1`. `gen/routes.ts` is a list of
 * these.
 */
export type Route = {
  readonly rpc: DescMethodUnary;
  /** In upper case. */
  readonly httpMethod: string;
  /** The path template, for example `/accounts/{id}`. */
  readonly path: string;
  /** The request field for the body; `*`: all fields outside the path; empty: no body. */
  readonly body: string;
  /** The response field of the answer; empty: the whole response. */
  readonly responseBody: string;
  /** The HTTP status of success, 200-299. */
  readonly successStatus: number;
  /** The `code` of the error body for an invalid filter. */
  readonly filterErrorCode: ErrorCodeName;
  /** The unique name in OpenAPI. Further routes of an RPC add a number to the first name, from 2. */
  readonly operationId: string;
  /** Whether the answer has an ETag, and `If-None-Match` is heeded. */
  readonly etag: boolean;
};

/**
 * The descriptors of the options that define routes. The caller provides them, because code generation has no generated ones yet. Options
 * that no proto imports are absent.
 */
export type RestOptions = FieldOptions &
  ErrorExtensions &
  PermissionExtensions &
  RepeatExtension & {
    readonly http: DescExtension;
    readonly successStatus?: DescExtension | undefined;
    readonly filterErrorCode?: DescExtension | undefined;
    readonly operationId?: DescExtension | undefined;
    readonly etag?: DescExtension | undefined;
  };

/** The options of fields that affect their form in an answer. */
export type FieldOptions = {
  readonly nullable?: DescExtension | undefined;
  readonly omitEmpty?: DescExtension | undefined;
};

/** The options that declare errors. */
export type ErrorExtensions = {
  /** The option of a method with its errors. */
  readonly errors?: DescExtension | undefined;
  /** The option of an error code with its kind. */
  readonly aboutError?: DescExtension | undefined;
};

/** The options that declare permissions. */
export type PermissionExtensions = {
  /** The option of a method; it overrides that of the service. */
  readonly methodPermission?: DescExtension | undefined;
  readonly servicePermission?: DescExtension | undefined;
  /** The option of a method about the session cookie. */
  readonly sessionCookie?: DescExtension | undefined;
  /** The option of a method about account tokens. */
  readonly accountToken?: DescExtension | undefined;
};

/** The option of a method that says whether a program may repeat it. */
export type RepeatExtension = { readonly repeat?: DescExtension | undefined };

/** The options in a registry; undefined without `google.api.http`. */
export function restOptionsIn(registry: Registry): RestOptions | undefined {
  const http = registry.getExtension('google.api.http');
  if (http === undefined) return undefined;
  return {
    http,
    successStatus: registry.getExtension('laurel.http.v1.success_status'),
    filterErrorCode: registry.getExtension('laurel.http.v1.filter_error_code'),
    operationId: registry.getExtension('laurel.http.v1.operation_id'),
    etag: registry.getExtension('laurel.http.v1.etag'),
    repeat: registry.getExtension('laurel.http.v1.repeat'),
    nullable: registry.getExtension('laurel.http.v1.nullable'),
    omitEmpty: registry.getExtension('laurel.http.v1.omit_empty'),
    errors: registry.getExtension('laurel.errors.v1.errors'),
    aboutError: registry.getExtension('laurel.errors.v1.about'),
    methodPermission: registry.getExtension('laurel.auth.v1.method_permission'),
    sessionCookie: registry.getExtension('laurel.auth.v1.session_cookie'),
    servicePermission: registry.getExtension('laurel.auth.v1.service_permission'),
    accountToken: registry.getExtension('laurel.auth.v1.account_token'),
  };
}

/**
 * The routes of an RPC: first that of its `google.api.http` option, then the additional bindings; empty without the option.
 * @throws Error with the RPC and the fault in its options
 */
export function routesOf(rpc: DescMethod, options: RestOptions): Route[] {
  if (!hasOption(rpc, options.http)) return [];
  if (!isUnary(rpc)) throw new Error(`${rpc}: a streaming RPC cannot have google.api.http.`);
  const rule = getOption(rpc, options.http) as HttpRule;
  return [rule, ...rule.additionalBindings].map((binding, index) => routeOf(rpc, binding, index, options));
}

/** Whether REST answers write `null` for the unset field. */
export function isNullable(field: DescField, { nullable }: FieldOptions): boolean {
  return nullable !== undefined && getOption(field, nullable) === true;
}

/** Whether REST answers leave out the key of the empty list. */
export function isOmittedEmpty(field: DescField, { omitEmpty }: FieldOptions): boolean {
  return omitEmpty !== undefined && getOption(field, omitEmpty) === true;
}

/** google.api.HttpRule, as read without generated types. */
type HttpRule = {
  readonly pattern:
    | { readonly case: 'get' | 'put' | 'post' | 'delete' | 'patch'; readonly value: string }
    | { readonly case: 'custom' }
    | { readonly case: undefined };
  readonly body: string;
  readonly responseBody: string;
  readonly additionalBindings: readonly HttpRule[];
};

function isUnary(rpc: DescMethod): rpc is DescMethodUnary {
  return rpc.methodKind === 'unary';
}

function routeOf(
  rpc: DescMethodUnary,
  { pattern, body, responseBody }: HttpRule,
  index: number,
  options: RestOptions,
): Route {
  if (pattern.case === undefined) throw new Error(`${rpc}: google.api.http states no method and path.`);
  if (pattern.case === 'custom') {
    throw new Error(`${rpc}: a custom method is not served. Write get, put, post, delete or patch.`);
  }
  const httpMethod = pattern.case.toUpperCase();
  const operationId = optionOf<string>(rpc, options.operationId) ?? rpc.name;
  return {
    rpc,
    httpMethod,
    path: pattern.value,
    body,
    responseBody,
    successStatus: successStatusOf(rpc, httpMethod, options.successStatus),
    filterErrorCode: optionOf<ErrorCodeName>(rpc, options.filterErrorCode) ?? 'BAD_REQUEST',
    operationId: index === 0 ? operationId : `${operationId}${index + 1}`,
    etag: etagOf(rpc, httpMethod, options.etag),
  };
}

function successStatusOf(rpc: DescMethodUnary, httpMethod: string, option: DescExtension | undefined): number {
  const stated = optionOf<number>(rpc, option);
  if (stated === undefined) return httpMethod === 'DELETE' && rpc.output.fields.length === 0 ? 204 : 200;
  if (stated < 200 || stated > 299) throw new Error(`${rpc}: success_status ${stated} is not within 200-299.`);
  return stated;
}

function etagOf(rpc: DescMethodUnary, httpMethod: string, option: DescExtension | undefined): boolean {
  const stated = optionOf<boolean>(rpc, option) ?? false;
  if (stated && httpMethod !== 'GET') throw new Error(`${rpc}: only a GET can have an ETag.`);
  return stated;
}

function optionOf<T>(rpc: DescMethodUnary, option: DescExtension | undefined): T | undefined {
  return option !== undefined && hasOption(rpc, option) ? (getOption(rpc, option) as T) : undefined;
}
