import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import { ExportAdminService } from '../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { about, ErrorCodeSchema, ErrorTraits_Scope } from '../../gen/laurel/errors/v1/errors_pb.ts';
import { routes } from '../../gen/routes.ts';
import { declaredCodes } from '../../src/kernel/errors/error-codes.ts';

/** All operations: those that REST has by `google.api.http`, their neighbours, and a service of which all are streams. */
export const operations: readonly DescMethod[] = [
  ...new Set([...routes.map(({ rpc }) => rpc.parent), ExportAdminService]),
].flatMap(({ methods }) => methods);

/** By the name that the log gives them, for example `laurel.v1.AccountService/GetAccount`. */
const declaredBy = new Map(
  operations.map((method) => [`${method.parent.typeName}/${method.name}`, new Set<string>(declaredCodes(method))]),
);

const ofAnyCall: ReadonlySet<string> = new Set(
  ErrorCodeSchema.values
    .filter((value) => getOption(value, about).scope === ErrorTraits_Scope.ANY_CALL)
    .map(({ name }) => name),
);

/** What is wrong with an answer of an operation; undefined if it declares this error, or any call may be answered so. */
export function undeclared(operation: string, code: string): string | undefined {
  // What no operation took, and the services that are not ours: health and reflection.
  if (!operation.startsWith('laurel.') || ofAnyCall.has(code)) return undefined;
  const declared = declaredBy.get(operation);
  if (declared?.has(code)) return undefined;
  const [service = ''] = operation.split('/');
  return (
    `${operation} answered ${code}, which it does not declare. Either that is wrong, or its proto (${service}) lacks ` +
    `\`option (laurel.errors.v1.errors) = {code: ${code}};\`. A code of any call has \`scope: ANY_CALL\` in errors.proto.`
  );
}

/** The same of a line of the log of a service. */
export function undeclaredIn(line: string): string | undefined {
  if (!line.includes('"answered"') || !line.includes('"code":')) return undefined;
  const { route, code } = JSON.parse(line) as { readonly route: string; readonly code?: string };
  return code === undefined ? undefined : undeclared(route, code);
}

/** Tells at once, and of which test; {@link assertDeclared} fails at the end. */
export function tellUndeclared(line: string): void {
  const fault = undeclaredIn(line);
  if (fault !== undefined) process.stderr.write(`${fault} Seen in "${expect.getState().currentTestName}".\n`);
}

/**
 * For the end of every test that has run a whole service: whoever called it, by whatever protocol, an operation has
 * answered no error but those that its proto declares.
 */
export function assertDeclared(log: readonly string[]): void {
  const faults = new Set(log.flatMap((line) => undeclaredIn(line) ?? []));
  if (faults.size > 0) throw new Error([...faults].join('\n'));
}
