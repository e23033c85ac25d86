import type { Transport } from '@connectrpc/connect';
import { useTransport } from '@connectrpc/connect-query';
import { useQuery } from '@tanstack/react-query';
import { createNameLoader, type NamedKind, type NameLoader } from './name-loader.ts';

const loaders = new WeakMap<Transport, Map<NamedKind, NameLoader>>();

/** The name of an id: '' during loading, the beginning of the id if it is unknown. */
export function useName(kind: NamedKind, id: string): string {
  const transport = useTransport();
  const { data, isPending } = useQuery({
    queryKey: ['name', kind, id],
    queryFn: () => loaderOf(transport, kind).load(id),
    enabled: id !== '',
    staleTime: 60_000,
  });
  if (isPending) return '';
  return data ?? (id.length > 8 ? `${id.slice(0, 8)}…` : id);
}

function loaderOf(transport: Transport, kind: NamedKind): NameLoader {
  const own = loaders.get(transport) ?? new Map<NamedKind, NameLoader>();
  loaders.set(transport, own);
  const loader = own.get(kind) ?? createNameLoader(transport, kind);
  own.set(kind, loader);
  return loader;
}
