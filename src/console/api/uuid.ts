const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a typed text is an id of the service. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
