import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { Cause_Kind, CauseSchema } from '../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { linkOf } from '../../../src/alerts/messages/cause-words.ts';
import { pathOfCause } from '../../../src/console/pages/overview/cause-kinds.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { CauseKind } from '../../../src/activity/causes.ts';

const kinds = Object.keys(pathOfCause) as CauseKind[];

/** The link of an alert without its client, after a check that the console's overview has the same. */
function commonLink(kind: CauseKind, subject: { readonly subjectId?: string; readonly subject: string }): string {
  const cause = { ...subject, kind, key: kind, severity: 'URGENT' } as const;
  const link = new URL(linkOf(cause, newId(), new URL('https://laurel.example.com'))!);
  link.searchParams.delete('client');
  const inConsole = pathOfCause[kind](create(CauseSchema, { ...subject, kind: Cause_Kind[kind] }));
  expect(link.href).toBe(`https://laurel.example.com/console${inConsole}`);
  return inConsole;
}

test.each(kinds)('the link of an alert leads where the console’s overview does: %s', (kind) => {
  commonLink(kind, { subjectId: newId(), subject: 'REWARDS' });
});

test('the link about a failing webhook leads to the failures of its type, and about an endpoint to those of the endpoint', () => {
  const outcome = 'outcome=REFUSED%2CTIMED_OUT%2CFAILED';
  expect(commonLink('WEBHOOK_FAILING', { subject: 'REWARDS' })).toBe(`/webhooks?type=REWARDS&${outcome}`);
  const subjectId = newId();
  const endpoint = { subjectId, subject: 'REWARDS' };
  expect(commonLink('WEBHOOK_FAILING', endpoint)).toBe(`/webhooks?endpointId=${subjectId}&${outcome}`);
});
