import { toJson } from '@bufbuild/protobuf';
import { type Change, Change_KindSchema, ChangeSchema } from '../../gen/laurel/v1/change_pb.ts';
import type { ExportChangesCsvRequest, ExportChangesRequest } from '../../gen/laurel/v1/change_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { maskedFor } from '../clients/with-masked-codes.ts';
import { enumName } from '../kernel/enum-names.ts';
import { listChanges } from './list-changes.ts';
import { placeOf } from './cursor.ts';
import { selectFeed } from './change-feed.queries.ts';

/** Changes in one transaction. */
const PAGE = 1_000;

/** Rows as CSV text. */
export type CsvText = (rows: readonly (readonly string[])[]) => string;

type Piece = { readonly data: Uint8Array };

/** Returns changes as lines of JSON: proto ChangeService.ExportChanges. */
export async function* exportChanges(call: Call, request: ExportChangesRequest): AsyncIterable<Piece> {
  for await (const { changes, nextAfter, isLast } of pages(call, request)) {
    const lines = changes.map((change) => JSON.stringify(jsonOf(change)));
    if (isLast) lines.push(JSON.stringify({ nextAfter }));
    yield { data: Buffer.from(lines.map((line) => `${line}\n`).join('')) };
  }
}

/** Returns changes as CSV: proto ChangeService.ExportChangesCsv. */
export async function* exportChangesCsv(
  call: Call,
  request: ExportChangesCsvRequest,
  csvText: CsvText,
): AsyncIterable<Piece> {
  yield { data: Buffer.from(csvText([['cursor', 'type', 'occurredAt', 'data']])) };
  for await (const { changes, nextAfter, isLast } of pages(call, request)) {
    const rows = changes.map((change) => {
      const { cursor, type, occurredAt, ...data } = jsonOf(change);
      return [cursor, type, occurredAt, JSON.stringify(Object.values(data)[0])];
    });
    if (isLast && changes.at(-1)?.cursor !== nextAfter) rows.push([nextAfter, '', '', '']);
    yield { data: Buffer.from(csvText(rows)) };
  }
}

type Page = { readonly changes: readonly Change[]; readonly nextAfter: string; readonly isLast: boolean };

/** The changes up to the end that the feed has now. Each page is a separate transaction, so that a long export blocks no other work. */
async function* pages(
  call: Call,
  { after, kinds, limit }: Pick<ExportChangesRequest, 'after' | 'kinds' | 'limit'>,
): AsyncIterable<Page> {
  const { db, principal } = call;
  const { number: end } = await db.unitOfWork(principal.clientId, selectFeed);
  let left = limit ?? Infinity;
  for (let next = after; ;) {
    const answer = await listChanges(call, { after: next, kinds, limit: Math.min(PAGE, left) });
    const changes = answer.rows.map((row) => maskedFor(principal, ChangeSchema, row));
    left -= changes.length;
    next = answer.nextAfter;
    const isLast = !answer.hasMore || left === 0 || placeOf(next).number >= end;
    yield { changes, nextAfter: next, isLast };
    if (isLast) return;
  }
}

function jsonOf(change: Change): { cursor: string; type: string; occurredAt: string } {
  const json = toJson(ChangeSchema, change, { alwaysEmitImplicit: true }) as { occurredAt: string };
  return { ...json, cursor: change.cursor, type: enumName(Change_KindSchema, change.type) ?? '' };
}
