import { expect, vi } from 'vitest';
import type { RestAnswer, Tenant, TestService } from '../../support/service.ts';

/** The parts of a created import that tests use. */
export type Created = { readonly id: string; readonly uploadPath: string };

/** Creates an import; of accounts by default. */
export async function createImport(service: TestService, fields: object = {}, tenant?: Tenant): Promise<Created> {
  const body = { type: 'ACCOUNTS', fileName: 'users.csv', ...fields };
  const answer = await service.rest('POST', '/admin/imports', body, tenant?.adminToken);
  expect(answer).toMatchObject({ status: 201, body: { status: 'UPLOADING', bytes: 0, rowsRead: 0 } });
  return answer.body;
}

/** Sends bytes unchanged. `query` begins with its `?`. */
export async function upload(
  service: TestService,
  path: string,
  body: BodyInit,
  { token = service.adminToken, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<RestAnswer> {
  const response = await fetch(service.baseUrl + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
    body,
    duplex: 'half',
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** The import after its end. */
export async function ended(service: TestService, id: string, tenant?: Tenant): Promise<RestAnswer['body']> {
  return vi.waitFor(
    async () => {
      const { body } = await service.rest('GET', `/admin/imports/${id}`, undefined, tenant?.adminToken);
      expect(['DONE', 'FAILED', 'CANCELLED', 'REVERSED']).toContain(body.status);
      return body;
    },
    { timeout: 60_000, interval: 20 },
  );
}

/** Creates an import, uploads the file and waits for the end. */
export async function load(
  service: TestService,
  file: string | Buffer,
  fields: object = {},
  tenant?: Tenant,
): Promise<RestAnswer['body']> {
  const { id, uploadPath } = await createImport(service, fields, tenant);
  const body = typeof file === 'string' ? file : new Uint8Array(file);
  const answer = await upload(service, uploadPath, body, { token: tenant?.adminToken });
  expect(answer).toMatchObject({ status: 200, body: { id, status: 'QUEUED' } });
  return ended(service, id, tenant);
}

/** The body of a streamed path. */
export async function download(service: TestService, path: string, token = service.adminToken): Promise<string> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  return text;
}

/** The refused rows of an import: line, key and reason. */
export async function refusals(service: TestService, id: string, token = service.adminToken): Promise<string[][]> {
  const text = await download(service, `/admin/imports/${id}/refusals.csv`, token);
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFline,key,reason');
  return lines.map((line) => /^(\d*),([^,]*),(.*)$/s.exec(line)!.slice(1));
}

/** Every account that is not deleted, by external id. */
export async function accounts(service: TestService, tenant: Tenant = service): Promise<Map<string, StoredAccount>> {
  const rows = await service.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query<StoredAccount & { external_id: string }>(
      `select id, external_id, name, email, time_zone, updated_at from account where client_id = $1 and deleted_at is null`,
      [tenant.clientId],
    ),
  );
  return new Map(rows.map((row) => [row.external_id, row]));
}

/** A row of `account`. */
export type StoredAccount = {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly time_zone: string | null;
  readonly updated_at: Date;
};
