import { expect, test } from 'vitest';
import { createMailer } from '../../../src/alerts/delivery/mailer.ts';
import { alertMail } from '../../../src/alerts/messages/compose.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { startMailServer } from './mail-server.ts';

const HOSTILE = 'Shop\r\nBcc: thief@example.com\r\n\r\n.\r\n<script>alert("1")</script>';

test('whatever client and product are called, an e-mail has its own recipients and headers, and no markup but ours', async () => {
  const server = await startMailServer();
  const subject = {
    ...({ id: newId(), language: 'EN', publicUrl: new URL('https://laurel.example.com') } as const),
    client: { id: newId(), name: HOSTILE, timeZone: 'Europe/Madrid' },
    causes: [{ key: 'stock', kind: 'PRODUCT_LOW', severity: 'URGENT', subjectId: newId(), subject: HOSTILE }],
  } as const;
  const mail = alertMail(subject, ['ops@example.com']);
  expect(mail.html).toContain('&lt;script&gt;');
  expect(mail.html).not.toContain('<script');

  expect(await createMailer(server.smtp).send(mail)).toEqual({ sent: true });
  const [taken] = await server.got(1);
  expect(taken!.to).toEqual(['ops@example.com']);
  const [headers] = taken!.source.split('\r\n\r\n');
  expect(headers).toMatch(/^To: ops@example\.com$/m);
  expect(headers).not.toMatch(/^Bcc:/im);
  await server.close();
});
