import type { MessageInitShape } from '@bufbuild/protobuf';
import { LockMode } from '@mikro-orm/core';
import {
  PublicationAdminService,
  type PublicationChanges,
  PublicationChangesSchema,
  type UpdatePublicationRequest,
  type UpdatePublicationResponseSchema,
} from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { PublicationSchema } from '../../../gen/laurel/v1/marketplace_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { amountFromNumber } from '../../kernel/amount.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { unchangeable } from '../../kernel/update-mask.ts';
import { toPublicationMessage } from './publication.ts';
import { PublicationEntity } from './publication.entity.ts';
import { publicationNotFound, readPublication } from './publications.queries.ts';

/** Changes the texts and the price: proto PublicationAdminService.UpdatePublication. */
export function updatePublication(
  { db, principal, now }: Call,
  request: UpdatePublicationRequest,
): Promise<MessageInitShape<typeof UpdatePublicationResponseSchema>> {
  const changes = changesOf(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const key = { clientId: uow.clientId, id: request.id };
    const publication = await uow.em.findOne(PublicationEntity, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (publication === null) throw publicationNotFound(request.id);
    const before = toPublicationMessage(await readPublication(uow, publication.id, now));
    await requireVersion(uow, PublicationSchema, publication, request.publication?.version);
    uow.em.assign(publication, { ...changes, version: publication.version + 1, updatedAt: now });
    await uow.em.flush();
    const after = toPublicationMessage(await readPublication(uow, publication.id, now));
    const operation = PublicationAdminService.method.updatePublication;
    await recordChange(uow, principal, { operation, schema: PublicationSchema, id: publication.id, before, after });
    return { publication: after };
  });
}

type Written = Partial<Pick<PublicationEntity, 'name' | 'description' | 'pointsCost'>>;

/** The writer of each field; a missing value clears the field. */
const WRITERS: Readonly<Record<string, (changes: Partial<PublicationChanges>) => Written>> = {
  name: ({ name }) => {
    if (name === undefined) throw badRequest('name cannot be cleared. Send 1-255 characters.');
    return { name: checkedText(name, '`name`') };
  },
  description: ({ description = '' }) => ({ description: checkedText(description, '`description`') }),
  // The version is compared, not written.
  version: () => ({}),
  points_cost: ({ pointsCost }) => ({
    pointsCost: pointsCost === undefined ? null : amountFromNumber(pointsCost, '`pointsCost`'),
  }),
};

const ALLOWED = PublicationChangesSchema.fields.map(({ jsonName }) => jsonName);

/** The fields to write: those in the mask, or those that are set. */
function changesOf({ publication, updateMask }: UpdatePublicationRequest): Written {
  const sent: Partial<PublicationChanges> = publication ?? {};
  const set = PublicationChangesSchema.fields.filter(
    (field) => sent[field.localName as keyof PublicationChanges] !== undefined,
  );
  const paths = updateMask && updateMask.paths.length > 0 ? updateMask.paths : set.map((field) => field.name);
  return Object.assign({}, ...paths.map((path) => writerOf(path)(sent))) as Written;
}

function writerOf(path: string) {
  const writer = Object.hasOwn(WRITERS, path) ? WRITERS[path] : undefined;
  if (writer !== undefined) return writer;
  throw unchangeable(path, ALLOWED);
}
