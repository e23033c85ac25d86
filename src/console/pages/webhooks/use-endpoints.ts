import { useQuery } from '@connectrpc/connect-query';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import type { WebhookEndpoint } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { WebhookEndpointService } from '../../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import type { TableFilter } from '../../table/column.ts';

/** The endpoints of the client by name; undefined while they are loading. */
export function useEndpoints(): readonly WebhookEndpoint[] | undefined {
  return useQuery(WebhookEndpointService.method.listWebhookEndpoints).data?.rows;
}

/** Names an endpoint by its id: '' during loading, the beginning of the id if it was deleted. */
export function useEndpointName(): (id: string) => string {
  const t = useTranslations('endpoints');
  const endpoints = useEndpoints();
  return (id) => {
    if (endpoints === undefined) return '';
    return endpoints.find((endpoint) => endpoint.id === id)?.name ?? t('deleted', { id: `${id.slice(0, 8)}…` });
  };
}

/**
 * The filter of a table by endpoint; none without endpoints. The address may name a deleted one, which then is a choice too.
 * @param parameter the name of the filter in the address
 */
export function useEndpointFilters(parameter: string): readonly TableFilter[] {
  const t = useTranslations('endpoints');
  const [params] = useSearchParams();
  const endpoints = useEndpoints() ?? [];
  const nameOf = useEndpointName();
  const chosen = params.get(parameter) ?? '';
  const ids = new Set([...endpoints.map(({ id }) => id), ...(chosen === '' ? [] : [chosen])]);
  if (ids.size === 0) return [];
  return [
    { field: 'endpointId', label: t('endpoint'), options: [...ids].map((id) => ({ value: id, label: nameOf(id) })) },
  ];
}
