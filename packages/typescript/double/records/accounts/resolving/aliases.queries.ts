/** The double merges no accounts. */
export async function deleteAliases(): Promise<void> {}
