import type { JsonObject } from '@bufbuild/protobuf';
import { type ExportAccountRequest, ExportAdminService } from '../../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { AccountSchema } from '../../../gen/laurel/v1/account_pb.ts';
import { aliasesOf } from '../../accounts/resolving/aliases.queries.ts';
import { subjectOf } from '../../accounts/resolving/subject.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { maskedCodes } from '../../kernel/secrets/masked-code.ts';
import type { AccountPart } from '../../persistence/subjects/account-part.ts';

/**
 * Streams all data of one account as JSON, page by page, each in its own transaction: it blocks no other work, and only
 * one page is in memory. Proto ExportAdminService.ExportAccount.
 */
export async function* exportAccount(
  { db, principal, now }: Call,
  request: ExportAccountRequest,
  parts: readonly AccountPart[],
): AsyncIterable<{ data: Uint8Array }> {
  const { clientId } = principal;
  const subjects = await db.unitOfWork(clientId, async (uow) => {
    const found = await subjectOf(uow, request);
    const operation = ExportAdminService.method.exportAccount;
    // The data does not change; the entry names the exported account, without its data.
    await recordChange(uow, principal, { operation, schema: AccountSchema, id: found.accountId });
    return [found, ...(await aliasesOf(uow, found.accountId))];
  });
  const shown = isPerson(principal) ? (row: JsonObject) => maskedCodes(readable(row)) : readable;
  yield piece(`{"exportedAt":${JSON.stringify(now)},"accountId":"${subjects[0]!.accountId}"`);
  for (const { name, page } of parts) {
    let text = `,\n"${name}":[`;
    let separator = '';
    // The rows of merged accounts follow, in tables whose rows stay with them.
    for (const subject of subjects)
      for (let after: string | undefined; ;) {
        const { rows, next } = await db.unitOfWork(clientId, (uow) => page(uow, subject, after));
        for (const row of rows) {
          text += `${separator}\n${JSON.stringify(shown(row))}`;
          separator = ',';
        }
        if (text !== '') yield piece(text);
        text = '';
        if (next === undefined) break;
        after = next;
      }
    yield piece(']');
  }
  yield piece('}\n');
}

/** Bodies are stored as JSON text. */
function readable(row: JsonObject): JsonObject {
  return typeof row['body'] === 'string' ? { ...row, body: JSON.parse(row['body']) } : row;
}

function piece(text: string): { data: Uint8Array } {
  return { data: Buffer.from(text) };
}
