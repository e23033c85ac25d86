/** The account and the campaign of a sent message, if its body names them. */
export function sentAbout(body: string | undefined): { readonly accountId?: string; readonly campaignId?: string } {
  const first: unknown = [parsed(body)].flat()[0];
  if (typeof first !== 'object' || first === null) return {};
  const { accountId, campaignId } = first as Readonly<Record<string, unknown>>;
  return {
    ...(typeof accountId === 'string' && { accountId }),
    ...(typeof campaignId === 'string' && { campaignId }),
  };
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? 'null');
  } catch {
    return null;
  }
}
