/** The double has neither freezes nor vacations. */
export async function streakSettings() {
  return { freezesMax: 0 };
}
