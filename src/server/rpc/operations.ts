import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, Interceptor, ServiceImpl } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { type Handler, type InProcess, inProcess } from './in-process.ts';
import { type InProcessStream, inProcessStream } from './in-process-stream.ts';
import { authorisationInterceptor } from '../interceptors/authorisation.ts';
import { errorsInterceptor } from '../interceptors/errors.ts';
import { idempotencyKeyInterceptor } from '../interceptors/idempotency-key.ts';
import { validationInterceptor } from '../interceptors/validation.ts';
import { PUBLIC_BODY_BYTES } from '../http/read-body.ts';
import { requiredPermissions } from './required-permission.ts';

/** Every operation of the service, behind one chain of interceptors for all protocols. */
export type Operations = {
  /**
   * Registers a service. An RPC that `implementation` lacks answers `NOT_IMPLEMENTED`.
   * @param options.permission for services with foreign protos, which cannot state one
   */
  add<Desc extends DescService>(
    service: Desc,
    implementation: Partial<ServiceImpl<Desc>>,
    options?: { readonly permission: Permission },
  ): void;
  /** The registered services, in the order of their registration. */
  readonly services: readonly DescService[];
  /** The permission that a method needs: see {@link requiredPermissions}. */
  needs(method: DescMethod): Permission;
  /** Registers the services at Connect's router, which applies `interceptors` itself. */
  routes(router: ConnectRouter): void;
  readonly interceptors: Interceptor[];
  /**
   * Calls a unary operation in this process: no serialisation, no socket. `header` has the headers that the operation set.
   * @throws ConnectError whose cause is the DomainError, if any
   */
  invoke: InProcess;
  /** The same for a streaming operation. */
  stream: InProcessStream;
};

/** An empty registry. Unexpected errors go to `logger`. */
export function createOperations({ logger }: { logger: Logger }): Operations {
  const services: DescService[] = [];
  const permissions = new Map<DescService, Permission>();
  const registrations: ((router: ConnectRouter) => void)[] = [];
  const calls = new Map<DescMethod, InProcess>();
  const streams = new Map<DescMethod, InProcessStream>();
  const needs = requiredPermissions(permissions);
  const interceptors = [
    errorsInterceptor(logger),
    authorisationInterceptor(needs),
    // This precedes the rules of the proto, which then apply to the key as well.
    idempotencyKeyInterceptor(),
    validationInterceptor(),
  ];

  return {
    services,
    interceptors,
    needs,
    add(service, implementation, options) {
      const complete = completed(service, implementation);
      services.push(service);
      if (options !== undefined) permissions.set(service, options.permission);
      for (const method of service.methods) {
        const handler = complete[method.localName as keyof typeof complete] as Handler;
        registrations.push((router) => router.rpc(method, handler.bind(complete) as never, limitsOf(needs(method))));
        if (method.methodKind === 'unary') calls.set(method, inProcess(handler, interceptors));
        else streams.set(method, inProcessStream(handler, interceptors));
      }
    },
    routes(router) {
      for (const register of registrations) register(router);
    },
    invoke(method, message, call) {
      const known = calls.get(method) ?? inProcess(() => Promise.reject(notImplemented(method)), interceptors);
      return known(method, message, call);
    },
    stream(method, messages, call) {
      const known = streams.get(method);
      return known === undefined ? Promise.reject(notImplemented(method)) : known(method, messages, call);
    },
  };
}

/** The limit of a message depends on the caller. */
function limitsOf(needed: Permission): { readMaxBytes?: number } {
  return needed === Permission.ANYONE ? { readMaxBytes: PUBLIC_BODY_BYTES } : {};
}

/** The implementation, with a refusal for each missing RPC. */
function completed<Desc extends DescService>(
  service: Desc,
  implementation: Partial<ServiceImpl<Desc>>,
): Partial<ServiceImpl<Desc>> {
  const missing = service.methods.filter((method) => !(method.localName in implementation));
  const refusals = missing.map((method) => [
    method.localName,
    () => {
      throw notImplemented(method);
    },
  ]);
  return { ...implementation, ...Object.fromEntries(refusals) };
}

function notImplemented(method: DescMethod): DomainError {
  return new DomainError(
    'NOT_IMPLEMENTED',
    sentence`${method.parent.typeName}/${method.name} is part of the interface, but this version does not implement it yet.`,
  );
}
