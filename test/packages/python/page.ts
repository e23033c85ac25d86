import { blocksOf } from '../../contract/support/page.ts';

/** The programs of docs/clients/python.md by the names in their first lines. */
export function programsOf(page: string): Map<string, string> {
  return new Map(
    blocksOf(page).flatMap(({ language, code }) => {
      const name = /^# (\S+\.py)$/m.exec(code.slice(0, code.indexOf('\n')))?.[1];
      return language === 'python' && name !== undefined ? [[name, code] as const] : [];
    }),
  );
}
