/** The double has no statistics. */
export async function statisticDefinitions() {
  return [];
}
