/** The account and the campaign of a sent message, if its body names them. */
export function sentAbout(body: string | undefined): { readonly accountId?: string; readonly campaignId?: string } {
  const { accountId, campaignId } = firstOf(parsed(body));
  return {
    ...(typeof accountId === 'string' && { accountId }),
    ...(typeof campaignId === 'string' && { campaignId }),
  };
}

/** The first object of a body: a list, an object, or for an endpoint either as `data`, with a list of rewards in an object. */
function firstOf(content: unknown): Readonly<Record<string, unknown>> {
  const first: unknown = [content].flat()[0];
  if (typeof first !== 'object' || first === null) return {};
  if ('data' in first) return firstOf(first.data);
  return 'rewards' in first ? firstOf(first.rewards) : { ...first };
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? 'null');
  } catch {
    return null;
  }
}
