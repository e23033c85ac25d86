import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let campaign: Awaited<ReturnType<typeof makeCampaign>>;
beforeAll(async () => {
  service = await sharedService();
  [browser, operator, campaign] = await Promise.all([launchBrowser(), newOperator(service), makeCampaign()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

let visitor: BrowserContext;
let page: Page;
afterEach(() => visitor.close());

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
const post = (path: string, body: unknown = {}): Promise<any> => ok(service.rest('POST', path, body));

/** A draft that begins in ten days, needs more days than it has, and gives a reward. */
async function makeCampaign() {
  await post('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE', name: 'Visit' });
  const everyone = await post('/admin/audiences', { name: 'Todos', kind: 'EVERYONE' });
  const reward = await post('/admin/rewards', { name: '50 puntos', type: 'POINTS', amount: 50 });
  const day = 86_400_000;
  const startsAt = new Date(Math.ceil(Date.now() / day) * day + 10 * day).toISOString();
  const endsAt = new Date(Date.parse(startsAt) + 3 * day).toISOString();
  const draft = {
    name: 'Otoño',
    audienceIds: [everyone.id],
    rewardIds: [reward.id],
    startsAt,
    endsAt,
    missions: [{ type: 'STREAK', name: 'Racha larga', programmaticCode: 'VISIT', target: 1_200, period: 'DAY' }],
  };
  const { id } = await post('/admin/campaigns', draft);
  return { id: id as string, startsAt, draft };
}

/** Signs in as a user in Bogotá, at UTC-5, with a browser in `locale`. */
async function visit(locale: 'en-GB' | 'es-CO', path: string): Promise<void> {
  visitor = await browser.visitor({ locale, timezoneId: 'America/Bogota' });
  page = await visitor.newPage();
  await page.goto(`${service.baseUrl}/console${path}`);
  await page.locator('input[type=email]').fill(operator.email);
  await page.locator('input[type=password]').fill(operator.password);
  await page.locator('button[type=submit]').click();
  await page.locator('main h1').waitFor();
}

const MOMENT_IN_UTC = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A time in the console's form for Bogotá. */
function inBogota(moment: string, language: 'en' | 'es'): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const options = { ...day, ...hour, timeZone: 'America/Bogota' };
  return new Intl.DateTimeFormat(language, options).format(new Date(moment));
}

describe('An operator in Spanish', () => {
  it('who archives a reward in use is told in Spanish what uses it', async () => {
    await visit('es-CO', '/rewards');
    await page.getByRole('button', { name: 'Acciones de 50 puntos' }).click();
    await page.getByRole('menuitem', { name: 'Archivar' }).click();
    const dialog = page.getByRole('dialog', { name: '50 puntos está en uso' });
    await dialog.getByText('«Archivar» será posible cuando ya nada lo use:').waitFor();
    await dialog.getByText(/^Campaña 'Otoño'/).waitFor();
  });

  it('who was not the first to save is told in Spanish who was, and when by the own clock', async () => {
    await visit('es-CO', `/campaigns/${campaign.id}/edit`);
    await page.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Otoño dorado');
    const draft = { ...campaign.draft, description: 'De otra persona.' };
    await ok(service.rest('PUT', `/admin/campaigns/${campaign.id}`, { version: 1, campaign: draft }));
    await page.getByRole('button', { name: 'Guardar cambios' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'lo ha cambiado' });
    await alert.waitFor();
    const text = await alert.innerText();
    expect(text).toMatch(
      /\(el \d{1,2} \S+ \d{4}, \d{2}:\d{2}\) lo ha cambiado: leíste la versión 1 y ahora va por la 2\./,
    );
    expect(text).toContain('Léelo de nuevo y repite tu cambio.');
    expect(text).not.toMatch(MOMENT_IN_UTC);
  });

  it('who activates a campaign reads in Spanish what is worth knowing, with moments by the own clock', async () => {
    await visit('es-CO', `/campaigns/${campaign.id}`);
    const text = await activationText('Activar', 'Conviene saber');
    expect(text).toContain(`Nada cuenta antes del ${inBogota(campaign.startsAt, 'es')}.`);
    expect(text).toContain('«Racha larga» necesita 1200 días, y su plazo, del');
    expect(text).toContain('Baja «Objetivo» a 3 o mueve su final.');
    expect(text).not.toMatch(MOMENT_IN_UTC);
    expect(text).not.toMatch(/\b(its|the|needs|before)\b/);
  });

  it('is told in Spanish beside the field what the service alone can know', async () => {
    await visit('es-CO', '/events');
    await page.getByRole('button', { name: 'Nuevo evento' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Código').fill('VISIT');
    await dialog.getByRole('button', { name: 'Crear evento' }).click();
    await dialog.getByText('El catálogo ya tiene «VISIT». Indica otro código.').waitFor();
  });

  it('reads the notes of the audit log and the days of its fields in Spanish', async () => {
    const { id } = await post('/accounts', { externalId: 'notas' });
    await post(`/admin/accounts/${id}/points/adjust`, { amount: 5, reason: 'Se quejó.' });
    await post(`/admin/campaigns/${campaign.id}/duplicate`, { name: 'Otoño dos' });
    await visit('es-CO', '/audit?from=2026-07-05');
    await page.getByText('5 jul 2026').waitFor();
    await page.getByText(`Cuenta ${id}: Se quejó.`).waitFor();
    await page.getByText(/^Copiada de «Otoño/).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/Account |Copied/);
  });

  it('who signs in with a wrong password too often is told in Spanish until when to wait', async () => {
    visitor = await browser.visitor({ locale: 'es-CO', timezoneId: 'America/Bogota' });
    page = await visitor.newPage();
    await page.goto(`${service.baseUrl}/console/sign-in`);
    const alert = page.getByText('Se han enviado demasiadas contraseñas equivocadas');
    for (let attempt = 0; attempt < 7 && !(await alert.isVisible()); attempt += 1) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/SignIn'));
      await page.locator('input[type=email]').fill('nobody@example.com');
      await page.locator('input[type=password]').fill(`wrong password ${attempt}`);
      await page.locator('button[type=submit]').click();
      await answered;
      await page.locator('button[type=submit]:not([data-loading])').waitFor();
    }
    const text = await alert.innerText();
    expect(text).toMatch(/Inténtalo después del \d{1,2} \S+ \d{4}, \d{2}:\d{2}/);
  });
});

describe('An operator in English', () => {
  it('reads moments by the own clock and fields in the words of the form', async () => {
    await visit('en-GB', `/campaigns/${campaign.id}`);
    const text = await activationText('Activate', 'Worth knowing');
    expect(text).toContain(`Nothing counts before ${inBogota(campaign.startsAt, 'en')}.`);
    expect(text).toContain("'Racha larga' needs 1,200 days");
    expect(text).toContain('Lower “Target” to 3 or move its end.');
    expect(text).not.toMatch(MOMENT_IN_UTC);
  });
});

/** The text of the dialog before the activation of a campaign. */
async function activationText(button: string, title: string): Promise<string> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(title).waitFor();
  return dialog.innerText();
}
