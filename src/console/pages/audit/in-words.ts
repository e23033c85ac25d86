/** A name of the API as people write: `completionRewardIds` is `Completion reward ids`. */
export function inWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An operation without its service: `CampaignAdminService.ActivateCampaign` is `Activate campaign`. */
export function operationInWords(operation: string): string {
  return inWords(operation.split('.').at(-1) ?? operation);
}
