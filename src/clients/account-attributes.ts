import type { AttributeDefinition } from '../attributes/attribute-definition.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { clientNotFound } from './catalog-version.ts';

/** The declared attributes of a client's accounts, with their version. */
export type DeclaredAttributes = { readonly version: number; readonly attributes: readonly AttributeDefinition[] };

/**
 * The declared attributes of the client's accounts.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function declaredAttributes(uow: UnitOfWork): Promise<DeclaredAttributes> {
  const [row] = await uow.query<DeclaredAttributes>(
    `select account_attributes as attributes, account_attributes_version as version from client where id = $1`,
    [uow.clientId],
  );
  if (row === undefined) throw clientNotFound(uow.clientId);
  return row;
}

/** Replaces the declared attributes of the client's accounts, in a change of its catalogue. Returns the new declaration. */
export async function replaceDeclaredAttributes(
  uow: UnitOfWork,
  attributes: readonly AttributeDefinition[],
): Promise<DeclaredAttributes> {
  const [row] = await uow.query<{ version: number }>(
    `update client set account_attributes = $2::jsonb, account_attributes_version = account_attributes_version + 1
      where id = $1 returning account_attributes_version as version`,
    [uow.clientId, JSON.stringify(attributes)],
  );
  if (row === undefined) throw clientNotFound(uow.clientId);
  return { version: row.version, attributes };
}
