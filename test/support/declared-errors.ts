import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import { ExportAdminService } from '../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { about, ErrorCodeSchema, ErrorTraits_Scope } from '../../gen/laurel/errors/v1/errors_pb.ts';
import { routes } from '../../gen/routes.ts';
import { declaredCodes } from '../../src/kernel/errors/error-codes.ts';

/** All operations: those of REST by `google.api.http`, the others of their services, and a service of streams only. */
export const operations: readonly DescMethod[] = [
  ...new Set([...routes.map(({ rpc }) => rpc.parent), ExportAdminService]),
].flatMap(({ methods }) => methods);

/** The declared errors by the operation's name in the log, for example `laurel.v1.AccountService/GetAccount`. */
const declaredBy = new Map(
  operations.map((method) => [`${method.parent.typeName}/${method.name}`, new Set<string>(declaredCodes(method))]),
);

const ofAnyCall: ReadonlySet<string> = new Set(
  ErrorCodeSchema.values
    .filter((value) => getOption(value, about).scope === ErrorTraits_Scope.ANY_CALL)
    .map(({ name }) => name),
);

/** The fault of an operation's answer; undefined if the operation declares this error, or if any call may get it. */
export function undeclared(operation: string, code: string): string | undefined {
  // Requests without an operation, and the services that are not ours: health and reflection.
  if (!operation.startsWith('laurel.') || ofAnyCall.has(code)) return undefined;
  const declared = declaredBy.get(operation);
  if (declared?.has(code)) return undefined;
  const [service = ''] = operation.split('/');
  return (
    `${operation} answered ${code}, which it does not declare. Either that is wrong, or its proto (${service}) lacks ` +
    `\`option (laurel.errors.v1.errors) = {code: ${code}};\`. A code of any call has \`scope: ANY_CALL\` in errors.proto.`
  );
}

/** The fault of an answer in a line of a service's log; undefined if there is none. */
export function undeclaredIn(line: string): string | undefined {
  if (!line.includes('"answered"') || !line.includes('"code":')) return undefined;
  const { route, code } = JSON.parse(line) as { readonly route: string; readonly code?: string };
  return code === undefined ? undefined : undeclared(route, code);
}

/** Prints a fault immediately, with its test; {@link assertDeclared} fails at the end. */
export function printUndeclared(line: string): void {
  const fault = undeclaredIn(line);
  if (fault !== undefined) process.stderr.write(`${fault} Seen in "${expect.getState().currentTestName}".\n`);
}

/**
 * Runs at the end of every test with a whole service: for any caller and protocol, an operation answered only errors that its proto
 * declares.
 */
export function assertDeclared(log: readonly string[]): void {
  const faults = new Set(log.flatMap((line) => undeclaredIn(line) ?? []));
  if (faults.size > 0) throw new Error([...faults].join('\n'));
}
