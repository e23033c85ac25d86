/** The double has no leaderboards. */
export async function activeLeaderboards() {
  return [];
}
