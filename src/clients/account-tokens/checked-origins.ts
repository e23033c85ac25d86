import { badRequest } from '../../kernel/errors/domain-error.ts';
import { isOrigin, meantOrigin } from '../../kernel/origins.ts';
import { sentence } from '../../kernel/sentence.ts';

/**
 * The origins of a client's pages; null without any, because most clients have none.
 * @throws DomainError `BAD_REQUEST` for one that no browser sends
 */
export function checkedOrigins(origins: readonly string[]): string[] | null {
  for (const origin of origins) {
    if (isOrigin(origin)) continue;
    const meant = meantOrigin(origin);
    throw badRequest(
      meant === undefined
        ? sentence`'${origin}' is no origin. Origins look like https://shop.example.com.`
        : sentence`'${origin}' is no origin. Did you mean ${meant}?`,
    );
  }
  return origins.length === 0 ? null : [...origins];
}
