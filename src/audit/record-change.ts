import { create, type DescMessage, type DescMethod, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { By } from './actor.ts';
import { withoutSecrets } from './without-secrets.ts';

/** A change to one resource. */
export type Change<Schema extends DescMessage> = {
  /** The operation that makes it: `CampaignAdminService.method.activateCampaign`. */
  readonly operation: DescMethod;
  /** The changed resource; the name of the message is its type. */
  readonly schema: Schema;
  /** UUID or programmatic code; left out if the client has only one resource of the kind. */
  readonly id?: string | undefined;
  /** Left out for a creation. */
  readonly before?: MessageInitShape<Schema> | undefined;
  /** Left out for a removal. */
  readonly after?: MessageInitShape<Schema> | undefined;
  /** Further information: the reason of a correction, the number of codes added. */
  readonly note?: string | undefined;
};

/**
 * Adds a change to the audit log. Call it once per call of an operation, in the transaction of the change, and only if
 * something changed: every change then has exactly one entry.
 * @param by the principal of the call
 */
export async function recordChange<Schema extends DescMessage>(
  uow: UnitOfWork,
  by: By,
  change: Change<Schema>,
): Promise<void> {
  await recordChangeOf(uow, uow.clientId, by, change);
}

/** Adds a change to the audit log of `clientId`, in a system unit of work. */
export async function recordChangeOf<Schema extends DescMessage>(
  uow: UnitOfWork,
  clientId: string,
  { actor = OWN_PROCESS }: By,
  { operation, schema, id, before, after, note }: Change<Schema>,
): Promise<void> {
  await uow.query(
    `insert into audit_entry
       (client_id, id, actor_type, actor_id, actor_name, operation, resource_type, resource_id, note, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb)`,
    [
      clientId,
      newId(),
      actor.type,
      actor.id ?? null,
      actor.name,
      `${operation.parent.name}.${operation.name}`,
      resourceTypeOf(schema),
      id ?? null,
      note ?? null,
      shown(schema, before),
      shown(schema, after),
    ],
  );
}

/** The actor of the demo's set-up. */
const OWN_PROCESS = { type: 'COMMAND_LINE', name: 'command line' } as const;

/** The resource type of a message: `ChestDefinition` is `chestDefinition`. */
export function resourceTypeOf({ name }: DescMessage): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function shown<Schema extends DescMessage>(schema: Schema, init: MessageInitShape<Schema> | undefined): string | null {
  if (init === undefined) return null;
  return JSON.stringify(withoutSecrets(toJson(schema, create(schema, init), { alwaysEmitImplicit: true })));
}
