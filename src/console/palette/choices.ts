import { createQueryOptions, useTransport } from '@connectrpc/connect-query';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { AccountService } from '../../../gen/laurel/v1/account_service_pb.ts';
import { useAllowed } from '../session/allowed.tsx';
import { useSession } from '../session/session-context.tsx';
import { findableKinds, type FindableKind, ROWS_MAX } from './findable.ts';
import { pages } from './pages.ts';
import { type Choice, recentChoices } from './recent.ts';

/** Choices below one heading. */
export type ChoiceGroup = { readonly key: string; readonly heading: string; readonly choices: readonly Choice[] };

/** Milliseconds without typing before the search. */
const TYPING = 180;

/** The minimum of characters for a search: one character finds too many results. */
const TYPED_MIN = 2;

/** The results for the typed text: recent entries, pages by name, and resources by the service's search. */
export function useChoices(typed: string): {
  readonly groups: readonly ChoiceGroup[];
  readonly pending: boolean;
  readonly failed: boolean;
} {
  const t = useTranslations();
  const { user, client } = useSession();
  const wanted = typed.trim();
  const [sought] = useDebouncedValue(wanted, TYPING);
  const hits = useHits(sought);
  const recent = recentChoices(`${user?.id} ${client?.id}`).filter(({ title }) => contains(title, wanted));
  const isNew = ({ key }: Choice) => !recent.some((one) => one.key === key);
  const groups = [
    { key: 'recent', heading: t('palette.recent'), choices: recent },
    ...hits.exact,
    { key: 'pages', heading: t('palette.pages'), choices: usePages(wanted).filter(isNew) },
    ...hits.others.map((group) => ({ ...group, choices: group.choices.filter(isNew) })),
  ];
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    pending: hits.pending || (wanted !== sought && wanted.length >= TYPED_MIN),
    failed: hits.failed,
  };
}

function usePages(typed: string): Choice[] {
  const t = useTranslations();
  const may = useAllowed();
  return pages.flatMap(({ key, names, path, icon, needs }) => {
    if (needs !== undefined && !may(needs)) return [];
    const [title = '', ...others] = names.map((name) => t(name as Parameters<typeof t>[0]));
    const other = contains(title, typed) ? undefined : others.find((name) => contains(name, typed));
    if (!contains(title, typed) && other === undefined) return [];
    return [{ key: `page ${key}`, title, hint: other, path, icon }];
  });
}

type HitGroups = {
  readonly exact: readonly ChoiceGroup[];
  readonly others: readonly ChoiceGroup[];
  readonly pending: boolean;
  readonly failed: boolean;
};

/** The common request fields of all lists. */
type Searched = typeof AccountService.method.listAccounts;

/** Things by name or id: kinds of which one has the very id that was typed first. */
function useHits(sought: string): HitGroups {
  const t = useTranslations('palette.kinds');
  const transport = useTransport();
  const may = useAllowed();
  const asks = ({ needs, mayName = () => true }: FindableKind) =>
    sought.length >= TYPED_MIN && (needs === undefined || may(needs)) && mayName(sought);
  const kinds = findableKinds.filter(asks);
  const answers = useQueries({
    queries: kinds.map(({ method, request = firstPage }) => ({
      ...createQueryOptions(method as Searched, request(sought), { transport }),
      placeholderData: keepPreviousData,
    })),
  });
  const groups = kinds.flatMap(({ key, icon, hitsIn }, index) => {
    const answer = answers[index]?.data;
    if (answer === undefined) return [];
    const rows = hitsIn(answer);
    const isExact = rows.some(({ ids }) => ids.some((id) => id.toLowerCase() === sought.toLowerCase()));
    const choices = rows.map((row) => ({ ...row, icon }));
    return [{ isExact, group: { key, heading: t(key), choices } }];
  });
  return {
    exact: groups.filter(({ isExact }) => isExact).map(({ group }) => group),
    others: groups.filter(({ isExact }) => !isExact).map(({ group }) => group),
    pending: answers.some(({ isFetching }) => isFetching),
    failed: answers.some(({ isError }) => isError),
  };
}

function firstPage(search: string) {
  return { page: 1, limit: ROWS_MAX, search };
}

function contains(text: string, part: string): boolean {
  return text.toLocaleLowerCase().includes(part.toLocaleLowerCase());
}
