/** The double has no journal. */
export async function writeJournal(): Promise<void> {}
