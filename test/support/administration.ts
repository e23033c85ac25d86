import { expect } from 'vitest';
import type { RestAnswer, TestService } from './service.ts';

/** One entry of the audit log, as a test reads it. */
export type Recorded = {
  readonly operation: string;
  readonly note: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
};

/** The audit log of one resource, oldest first. */
export function recorded(service: Pick<TestService, 'db' | 'clientId'>, resourceId: string): Promise<Recorded[]> {
  return service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<Recorded>(
      'select operation, note, before, after from audit_entry where client_id = $1 and resource_id = $2 order by id',
      [uow.clientId, resourceId],
    ),
  );
}

/** The query of a page, with conditions by field. */
export function pageQuery(conditions: Readonly<Record<string, unknown>> = {}, limit = 100, page = 1): string {
  const filters = Object.entries(conditions).map(([field, value]) => ({ field, value }));
  return `${new URLSearchParams({ page: `${page}`, limit: `${limit}`, filters: JSON.stringify({ filters }) })}`;
}

/** The body of an answer that must be a success. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
export async function ok(answer: Promise<RestAnswer>): Promise<any> {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) });
  return body;
}

/**
 * Two editors read the same version and save it concurrently, by any `save`: one of them gets a conflict, and the change of the other
 * stays.
 */
export async function expectOneConflict(save: (name: string) => Promise<RestAnswer>): Promise<void> {
  const answers = await Promise.all(['one', 'other'].map(save));
  const [won, refused] = answers.toSorted((a, b) => a.status - b.status);
  expect(won?.status).toBe(200);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'VERSION_CONFLICT', message: expect.stringMatching(/CLIENT_ADMIN.* changed it/) },
  });
}
