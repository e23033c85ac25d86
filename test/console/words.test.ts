import { describe, expect, it } from 'vitest';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, button, seesText, main } = desk;

describe('Words', () => {
  it('of a submit button say what it does', async () => {
    await open('/products');
    const does: Readonly<Record<string, readonly [string, string]>> = {
      '/products': ['New product', 'Create product'],
      '/events': ['New event definition', 'Create event definition'],
      '/audiences': ['New audience', 'Create audience'],
      '/rewards': ['New reward', 'Create reward'],
      '/marketplace': ['New publication', 'Create publication'],
      '/marketplace/agreements': ['New agreement', 'Create agreement'],
      '/keys': ['New key', 'Create key'],
      '/users': ['New user', 'Create user'],
    };
    for (const [path, [opens, submits]] of Object.entries(does)) {
      await desk.page.goto(`${desk.service.baseUrl}/console${path}`);
      await button(opens).first().click();
      await desk.page.getByRole('dialog').locator('button[type=submit]', { hasText: submits }).waitFor();
    }
  });

  it('of one are not those of several, and an empty field is one dash', async () => {
    await open('/campaigns/new');
    await desk.page.getByRole('combobox', { name: 'Type' }).click();
    await desk.page.getByRole('option', { name: 'Streak' }).click();
    await desk.page.getByLabel('Target').fill('1');
    await seesText('0 / 1 day');
    expect(await main()).not.toMatch(/0 \/ 1 days/);
    const product = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
    await post('/admin/publications', { productId: product.id, name: 'Mugs' });
    await desk.page.goto(`${desk.service.baseUrl}/console/marketplace`);
    await desk.page.getByRole('row').filter({ hasText: 'Mugs' }).first().waitFor();
    // Names are looked up after the rows have arrived.
    await expect.poll(emptyCells).toEqual([]);
    await desk.page.goto(`${desk.service.baseUrl}/console/users`);
    await desk.page.getByRole('row').filter({ hasText: desk.operator.email }).waitFor();
    expect(await main()).not.toContain('Not yet');
    await expect.poll(emptyCells).toEqual([]);
  });

  it('above numbers end where the numbers end', async () => {
    await post('/admin/products', { name: 'Mug for points', stockMode: 'COUNTED', pointsCost: 12_345 });
    await open('/products');
    await desk.page.getByRole('row').filter({ hasText: 'Mug for points' }).waitFor();
    const ends = await desk.page.evaluate(() => {
      const endOf = (element: Element | undefined) => {
        const range = document.createRange();
        range.selectNodeContents(element!);
        return Math.round(range.getBoundingClientRect().right);
      };
      const index = [...document.querySelectorAll('th')].findIndex(({ innerText }) => innerText === 'Price in points');
      return [...document.querySelectorAll('tr')].map((row) => endOf(row.children[index]));
    });
    expect(new Set(ends).size).toBe(1);
  });

  /** Headings of cells that are completely empty. */
  function emptyCells(): Promise<string[]> {
    return desk.page.evaluate(() =>
      [...document.querySelectorAll('td[data-label]')]
        .filter((cell) => cell.textContent?.trim() === '')
        .map((cell) => cell.getAttribute('data-label') ?? ''),
    );
  }
});

describe('A warning of the activation', () => {
  it('is shown once, however many missions have it', async () => {
    const warnings = [1, 2].map((index) => ({
      field: `missions[${index}]`,
      message: 'The product has too few units.',
    }));
    const { campaign } = await campaignToActivate();
    await open(`/campaigns/${campaign}`);
    // The test creates a finding that the service would report twice, because it reports its own findings once.
    await desk.page.route(/\/GetActivationPreview$/, async (route) => {
      await route.fulfill({ json: { preview: { members: 1, warnings } }, contentType: 'application/json' });
    });
    await button('Activate').click();
    await desk.page.getByRole('dialog').getByText('too few units').first().waitFor();
    expect(await desk.page.getByRole('dialog').getByText('too few units').count()).toBe(1);
  });

  async function campaignToActivate(): Promise<{ campaign: string }> {
    const audience = await post('/admin/audiences', { name: 'Warned', kind: 'EVERYONE' });
    const prize = await post('/admin/rewards', { name: 'Warned', type: 'POINTS', amount: 1 });
    await post('/admin/event-definitions', { programmaticCode: 'WARNED', type: 'SINGLE' });
    const missions = [{ type: 'MISSION', name: 'Warn', programmaticCode: 'WARNED', target: 1 }];
    const { id } = await post('/admin/campaigns', {
      name: 'Warned',
      audienceIds: [audience.id],
      rewardIds: [prize.id],
      missions,
    });
    return { campaign: id };
  }
});
