import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { Cause_Kind, CauseSchema } from '../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { linkOf } from '../../../src/alerts/messages/cause-words.ts';
import { pathOfCause } from '../../../src/console/pages/overview/cause-kinds.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { CauseKind } from '../../../src/statistics/causes.ts';

const kinds = Object.keys(pathOfCause) as CauseKind[];

test.each(kinds)('the link of an alert leads where the console’s overview does: %s', (kind) => {
  const subject = { subjectId: newId(), subject: 'REWARDS' };
  const cause = { ...subject, kind, key: kind, severity: 'URGENT' } as const;
  const link = new URL(linkOf(cause, newId(), new URL('https://laurel.example.com'))!);
  link.searchParams.delete('client');
  const inConsole = pathOfCause[kind](create(CauseSchema, { ...subject, kind: Cause_Kind[kind] }));
  expect(link.href).toBe(`https://laurel.example.com/console${inConsole}`);
});
