/** The double sends no webhooks. */
export async function markForOneWebhook<T>(_: unknown, deliveries: T): Promise<T> {
  return deliveries;
}

export async function announceClosings(): Promise<void> {}

export async function announceSettled(): Promise<void> {}
