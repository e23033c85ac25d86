import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  SummarizeRefusalsRequest,
  SummarizeRefusalsResponseSchema,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { maskedCode } from '../kernel/secrets/masked-code.ts';
import { holdsCodes } from './download-refusals.ts';
import { requireImport } from './imports.queries.ts';
import { namedRefusals } from './refusals.queries.ts';

/** Returns the reasons of refusals so far, with rows of each: proto ImportAdminService.SummarizeRefusals. */
export function summarizeRefusals(
  { db, principal }: Call,
  { id }: SummarizeRefusalsRequest,
): Promise<MessageInitShape<typeof SummarizeRefusalsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const source = await requireImport(uow, id);
    const ofReason = Map.groupBy(await namedRefusals(uow, source.id), ({ form }) => form);
    const shown = (key: string) => (holdsCodes(source) && key !== '' ? maskedCode(key) : key);
    return {
      rows: [...ofReason.values()].map((refusals) => ({
        count: refusals[0]!.rows,
        first: refusals.map(({ line, key, reason, metadata }) => ({
          line,
          key: shown(key),
          message: reason,
          metadata: metadata ?? {},
        })),
      })),
    };
  });
}
