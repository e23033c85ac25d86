/** Accounts of the double have no declared attributes. */
export async function declaredAttributes() {
  return { version: 1, attributes: [] };
}
