import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import type { Messages } from '../../../src/console/messages/messages.ts';

const sources = fileURLToPath(new URL('../../../src/console', import.meta.url));

/** The code that shows a dialog in a page: the components of dialogs, and the functions that ask. */
const SHOWS =
  /<(?:Modal|Drawer|FormDialog|ReasonDialog|RenameDialog|UnitsDialog|SecretOnce|RowButton)\b|await (?:confirm|ask|askUnlessUsed)\(|\bmodals\.open/g;

/** The frames of dialogs, which are checked with every use. */
const FRAMES = /^(?:form\/(?:form|reason|rename|units)-dialog|feedback\/(?:secret-once|confirm))\.tsx$/;

/** The number of dialogs in each file of the console, by its path. */
export function dialogsInSources(): Readonly<Record<string, number>> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return Object.fromEntries(
    files
      .filter((file) => /\.tsx?$/.test(file) && !FRAMES.test(file))
      .map((file) => [file, readFileSync(join(sources, file), 'utf8').match(SHOWS)?.length ?? 0] as const)
      .filter(([, count]) => count > 0),
  );
}

/** The way to a dialog of a file. */
export type Opener = {
  /** The file below `src/console` that shows it. */
  readonly file: string;
  /** The name of the dialog within its file. */
  readonly which?: string;
  /** The route on which it opens; its parameter is filled as in the tests of all pages. */
  readonly path: string;
  /** Whether it changes the content of its page. Then it opens in one language after the other, on a page that is read again. */
  readonly alone?: boolean;
  /** Opens it, with the words of the page's language. */
  readonly open: (at: Opening) => Promise<void>;
};

/** A page of the console, with its words. */
export type Opening = { readonly page: Page; readonly m: Messages };

/** Presses the first button of the page with that name. */
export async function press({ page }: Opening, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
}

/** Presses a button of the dialog on top. */
export async function confirm({ page }: Opening, name: string): Promise<void> {
  await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
}

/** Chooses in the menu of a row, or in the first menu of the page that is not for files. */
export async function choose({ page, m }: Opening, name: string, row?: string): Promise<void> {
  const main = page.getByRole('main');
  const within: Locator = row === undefined ? main : main.getByRole('row').filter({ hasText: row });
  await within.locator('[aria-haspopup=menu]').filter({ hasNotText: m.table.save }).first().click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Opens the form of the alerts, with or without existing ones. */
export async function openAlerts(at: Opening): Promise<void> {
  const main = at.page.getByRole('main');
  const [first, again] = [at.m.alerts.setUp, at.m.alerts.edit].map((name) =>
    main.getByRole('button', { name, exact: true }),
  );
  if (first && again) await first.or(again).click();
}

/** Opens the form of the first webhook without a configuration. */
export async function openWebhook(at: Opening): Promise<void> {
  await at.page.getByRole('main').getByRole('button').filter({ hasText: at.m.webhooks.configure }).first().click();
}

/** Chooses in the menu of an account's page. */
export async function act(at: Opening, name: string): Promise<void> {
  await press(at, at.m.support.actions);
  await at.page.getByRole('menuitem', { name, exact: true }).click();
}

/** Closes a dialog with any content: a secret by its own button, entries by the answer that they may be discarded. */
export async function close(at: Opening): Promise<void> {
  const dialogs = at.page.getByRole('dialog');
  const kept = dialogs.getByRole('checkbox', { name: at.m.feedback.kept });
  const leave = dialogs.getByRole('button', { name: at.m.form.leave, exact: true });
  if (await kept.isVisible()) {
    await kept.check();
    await confirm(at, at.m.feedback.close);
  } else if (await leave.isVisible()) await leave.click();
  else await at.page.keyboard.press('Escape');
  await dialogs.first().waitFor({ state: 'detached' });
}
