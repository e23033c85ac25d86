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
 * One way to call an operation over REST, as its proto states it with `google.api.http` and `laurel.http.v1`.
 * `gen/routes.ts` is a list of these.
 */
export type Route = {
  readonly rpc: DescMethodUnary;
  /** In upper case. */
  readonly httpMethod: string;
  /** The path template, for example `/accounts/{id}`. */
  readonly path: string;
  /** The request field that the body is; `*`: all fields that are not in the path; empty: no body. */
  readonly body: string;
  /** The response field that is answered; empty: the whole response. */
  readonly responseBody: string;
  /** HTTP status of success, 200-299. */
  readonly successStatus: number;
  /** `code` of the error body when a filter is at fault. */
  readonly filterErrorCode: ErrorCodeName;
  /** The unique name in OpenAPI. Further routes of an RPC have the name of the first with a number, from 2. */
  readonly operationId: string;
};

/**
 * The descriptors of the options that routes are read from. The reader brings them, since at code generation the
 * generated ones do not exist yet. Options of ours that no proto imports are absent.
 */
export type RestOptions = FieldOptions &
  ErrorExtensions &
  PermissionExtensions & {
    readonly http: DescExtension;
    readonly successStatus?: DescExtension | undefined;
    readonly filterErrorCode?: DescExtension | undefined;
    readonly operationId?: DescExtension | undefined;
  };

/** Those of them that stand at fields and say how an answer shows them. */
export type FieldOptions = {
  readonly nullable?: DescExtension | undefined;
  readonly omitEmpty?: DescExtension | undefined;
};

/** Those of them that say with what an operation refuses. */
export type ErrorExtensions = {
  /** Of a method: the errors that it declares. */
  readonly errors?: DescExtension | undefined;
  /** Of a value of the enum of error codes: its kind. */
  readonly aboutError?: DescExtension | undefined;
};

/** Those of them that say what a caller must be allowed to do. */
export type PermissionExtensions = {
  /** Of a method; it comes before that of the service. */
  readonly methodPermission?: DescExtension | undefined;
  readonly servicePermission?: DescExtension | undefined;
  /** Of a method: what it does with the cookie of a session. */
  readonly sessionCookie?: DescExtension | undefined;
};

/** Undefined if nothing in the registry can carry `google.api.http`. */
export function restOptionsIn(registry: Registry): RestOptions | undefined {
  const http = registry.getExtension('google.api.http');
  if (http === undefined) return undefined;
  return {
    http,
    successStatus: registry.getExtension('laurel.http.v1.success_status'),
    filterErrorCode: registry.getExtension('laurel.http.v1.filter_error_code'),
    operationId: registry.getExtension('laurel.http.v1.operation_id'),
    nullable: registry.getExtension('laurel.http.v1.nullable'),
    omitEmpty: registry.getExtension('laurel.http.v1.omit_empty'),
    errors: registry.getExtension('laurel.errors.v1.errors'),
    aboutError: registry.getExtension('laurel.errors.v1.about'),
    methodPermission: registry.getExtension('laurel.auth.v1.method_permission'),
    sessionCookie: registry.getExtension('laurel.auth.v1.session_cookie'),
    servicePermission: registry.getExtension('laurel.auth.v1.service_permission'),
  };
}

/**
 * The routes of an RPC: that of its `google.api.http` option first, then its additional bindings; none without the option.
 * @throws Error that names the RPC and what its options say wrongly
 */
export function routesOf(rpc: DescMethod, options: RestOptions): Route[] {
  if (!hasOption(rpc, options.http)) return [];
  if (!isUnary(rpc)) throw new Error(`${rpc}: a streaming RPC cannot have google.api.http.`);
  const rule = getOption(rpc, options.http) as HttpRule;
  return [rule, ...rule.additionalBindings].map((binding, index) => routeOf(rpc, binding, index, options));
}

/** Whether REST answers write `null` for the field where it is unset. */
export function isNullable(field: DescField, { nullable }: FieldOptions): boolean {
  return nullable !== undefined && getOption(field, nullable) === true;
}

/** Whether REST answers leave the key of the list out where it is empty. */
export function isOmittedEmpty(field: DescField, { omitEmpty }: FieldOptions): boolean {
  return omitEmpty !== undefined && getOption(field, omitEmpty) === true;
}

/** google.api.HttpRule as a message without generated types has it. */
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
  };
}

function successStatusOf(rpc: DescMethodUnary, httpMethod: string, option: DescExtension | undefined): number {
  const stated = optionOf<number>(rpc, option);
  if (stated === undefined) return httpMethod === 'DELETE' && rpc.output.fields.length === 0 ? 204 : 200;
  if (stated < 200 || stated > 299) throw new Error(`${rpc}: success_status ${stated} is not within 200-299.`);
  return stated;
}

function optionOf<T>(rpc: DescMethodUnary, option: DescExtension | undefined): T | undefined {
  return option !== undefined && hasOption(rpc, option) ? (getOption(rpc, option) as T) : undefined;
}
