import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ImportAdminService,
  type ReverseImportRequest,
  type ReverseImportResponseSchema,
} from '../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { ImportSchema } from '../../../gen/laurel/admin/v1/import_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { checkedText } from '../../kernel/text.ts';
import { DAY } from '../../kernel/time/timestamp.ts';
import { type CsvImport, toImportMessage } from '../csv-import.ts';
import { requireImport } from '../imports.queries.ts';
import type { ImportWorker } from '../worker/import-worker.ts';
import { beginReversal } from './staged-events.queries.ts';

/** Days for which the events of an ended import can be found. */
export const REVERSIBLE_DAYS = 90;

/** Puts the reversal of an import into the queue of imports: proto ImportAdminService.ReverseImport. */
export function reverseImport(
  call: Call,
  { id, reason }: ReverseImportRequest,
  worker: Pick<ImportWorker, 'wake'>,
): Promise<MessageInitShape<typeof ReverseImportResponseSchema>> {
  const { db, principal, now } = call;
  const words = reason === '' ? undefined : checkedText(reason, '`reason`');
  return db.unitOfWork(principal.clientId, async (uow) => {
    const present = await requireImport(uow, id, { forChange: true });
    const { status } = present;
    if (present.type === 'EVENTS' && (status === 'REVERSING' || status === 'REVERSED'))
      return { reversedImport: toImportMessage(present) };
    const fault = faultOf(present, now);
    if (fault !== undefined) throw new DomainError('IMPORT_NOT_REVERSIBLE', fault);
    await beginReversal(uow, id, words);
    const after = toImportMessage(await requireImport(uow, id));
    await recordChange(uow, principal, {
      operation: ImportAdminService.method.reverseImport,
      schema: ImportSchema,
      id,
      before: toImportMessage(present),
      after,
    });
    call.afterResponse(() => worker.wake());
    return { reversedImport: after };
  });
}

/** The reason for which an import has nothing to take back. */
function faultOf({ type, status, events, finishedAt }: CsvImport, now: Date): Sentence | undefined {
  if (type !== 'EVENTS') return sentence`Only an import of type EVENTS can be taken back; this one is ${type}.`;
  if (events?.dryRun) return sentence`The import is a rehearsal: it has changed nothing.`;
  if (finishedAt === undefined) return sentence`The import is ${status}: cancel it first, or wait until it has ended.`;
  if (finishedAt.getTime() < now.getTime() - REVERSIBLE_DAYS * DAY)
    return sentence`The import ended more than ${REVERSIBLE_DAYS} days ago. Take its events back one by one.`;
  return undefined;
}
