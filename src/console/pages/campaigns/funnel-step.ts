/** One number of a campaign's funnel: of a mission, or without one of the campaign. */
export type FunnelStep = { readonly mission?: string; readonly step: 'STARTED' | 'COMPLETED' | 'CLOSED' };

/** The address of the list of the accounts behind a number. */
export function pathOfStep(campaignId: string, { mission, step }: FunnelStep): string {
  const params = new URLSearchParams({ ...(mission !== undefined && { mission }), step });
  return `/campaigns/${campaignId}/accounts?${params}`;
}

/** The step in the address; by default the completions. */
export function stepIn(params: URLSearchParams): FunnelStep {
  const mission = params.get('mission') ?? undefined;
  const step = (['STARTED', 'COMPLETED', 'CLOSED'] as const).find((known) => known === params.get('step'));
  return { ...(mission !== undefined && { mission }), step: step ?? 'COMPLETED' };
}
