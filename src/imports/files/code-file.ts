import { checkedText } from '../../kernel/text.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Product } from '../../rewards/products/product.ts';
import type { ProductItem } from '../../rewards/products/products.queries.ts';
import { restock } from '../../rewards/delivery/restock.ts';
import { insertItemCodes } from '../../rewards/products/stock/stock.queries.ts';
import type { FileKind } from './file-kind.ts';

/** A row of a file of codes. */
type CodeItem = { readonly code: string; readonly itemId: string };

/** The most characters of a code, as in the API. */
const CODE_MAX = 255;

/**
 * Files of codes of one product. Waiting accounts get their units in the transaction that adds them.
 * @param items the product's items
 * @param standardItemId the item of codes whose row has none
 * @param onDelivered called after waiting rewards were delivered, because webhooks may be due
 */
export function codeFile(
  product: Product,
  items: readonly ProductItem[],
  standardItemId: string,
  onDelivered: () => void,
): FileKind<CodeItem> {
  return {
    columns: { required: 'code', optional: ['item'], isSecret: true },
    read(sent, cell) {
      if (sent === '') throw badRequest('The code is empty. Send 1-255 characters.');
      if (sent.length > CODE_MAX && [...sent].length > CODE_MAX) {
        throw badRequest(sentence`The code has ${[...sent].length} characters, ${CODE_MAX} at most are allowed.`);
      }
      const item = cell('item');
      return { code: checkedText(sent, 'The code'), itemId: item === undefined ? standardItemId : itemNamed(item) };
    },
    async apply({ db, clientId, rows, now, hold, record }) {
      const codes = rows.map(({ item }) => item);
      const delivered = await restock(
        db,
        clientId,
        product,
        async (uow) => {
          await hold(uow);
          const added = await insertItemCodes(uow, product, codes, now);
          await record(uow, { created: added, updated: 0, unchanged: codes.length - added }, []);
          return added;
        },
        now,
      );
      if (delivered > 0) onDelivered();
    },
  };

  function itemNamed(text: string): string {
    const [one, another] = items.filter(({ id, name }) => name === text || id === text.toLowerCase());
    if (one !== undefined && another === undefined) return one.id;
    const known = items.map(({ name }) => sentence`'${name}'`);
    const shown = text.length > 80 ? `${text.slice(0, 80)}...` : text;
    throw badRequest(
      sentence`'${shown}' is ${one ? sentence`the name of several items` : sentence`no item`} of the product, which has ${known}.`,
    );
  }
}
