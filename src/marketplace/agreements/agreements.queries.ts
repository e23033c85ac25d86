import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { propertiesOf } from '../../persistence/columns-of.ts';
import { agreementTable } from './agreement.entity.ts';
import type { Agreement } from './agreement.ts';
import { STOCK_MAX } from '../stock-limit.ts';

const COLUMNS = propertiesOf(agreementTable, ['id', 'name', 'stock', 'version', 'createdAt', 'updatedAt'], 'a');

/** The agreements with these ids at `now`, in the order of the ids. Units of expired reservations count as available, closed or not. */
export async function readAgreements(uow: UnitOfWork, ids: readonly string[], now: Date): Promise<Agreement[]> {
  if (ids.length === 0) return [];
  return uow.query<Agreement>(
    `select ${COLUMNS}, a.stock - a.reserved + due.units as "availableStock"
       from unnest($2::uuid[]) with ordinality as wanted(id, position)
      cross join ${lookUpByKey({ select: '*', from: 'agreement', key: { id: 'wanted.id' } })} a
      cross join lateral (
        select coalesce(sum(r.quantity), 0)::int as units from reservation r
         where r.client_id = $1 and r.agreement_id = a.id and r.status = 'ACTIVE' and r.expires_at <= $3
      ) due
      order by wanted.position`,
    [uow.clientId, ids, now],
  );
}

/** One agreement at `now`, or undefined. */
export async function findAgreement(uow: UnitOfWork, id: string, now: Date): Promise<Agreement | undefined> {
  const [agreement] = await readAgreements(uow, [id], now);
  return agreement;
}

/**
 * One agreement at `now`.
 * @throws DomainError `AGREEMENT_NOT_FOUND`
 */
export async function readAgreement(uow: UnitOfWork, id: string, now: Date): Promise<Agreement> {
  const agreement = await findAgreement(uow, id, now);
  if (agreement === undefined) throw new DomainError('AGREEMENT_NOT_FOUND', sentence`There is no agreement ${id}.`);
  return agreement;
}

/** Pages of agreements, by name. */
export const agreementPage = pagedList<{ id: string }>({
  from: 'agreement',
  columns: 'id, name',
  orderBy: ['name', 'id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: {
    name: { column: 'name' },
    stock: { column: 'stock' },
    createdAt: { column: 'created_at' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], parts: ['name'] },
});

/** Adds units to an agreement. False if the agreement is missing or would exceed the maximum. */
export async function addAgreementUnits(uow: UnitOfWork, id: string, units: number, now: Date): Promise<boolean> {
  const rows = await uow.query(
    `update agreement set stock = stock + $3, units_added = units_added + $3, updated_at = $4
      where client_id = $1 and id = $2 and stock <= $5::int - $3 returning id`,
    [uow.clientId, id, units, now, STOCK_MAX],
  );
  return rows.length > 0;
}
