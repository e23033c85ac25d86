/** The double sends no webhooks. */
export async function sendsCompletions(): Promise<boolean> {
  return false;
}
