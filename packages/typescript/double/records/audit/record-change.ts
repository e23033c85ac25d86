/** The double has no audit log. */
export async function recordChangeOf(): Promise<void> {}
