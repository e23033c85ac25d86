import { parseExpression, type Syntax } from './syntax.ts';

/**
 * The literals that an expression seeks in a list: `"VIP"` of `"VIP" in account.audiences`.
 * @param text an expression that was checked
 * @param list the name of the list
 */
export function soughtEntries(text: string, list: string): ReadonlySet<string> {
  const found = new Set<string>();
  visit(parseExpression(text));
  return found;

  function visit(syntax: Syntax): void {
    if (syntax.kind === 'quantifier') visit(syntax.test);
    if (syntax.kind !== 'call') return;
    const [needle, haystack] = syntax.args;
    const isSought = syntax.name === 'in' && haystack?.kind === 'name' && haystack.name === list;
    if (isSought && needle?.kind === 'string') found.add(needle.value);
    for (const each of syntax.args) visit(each);
  }
}
