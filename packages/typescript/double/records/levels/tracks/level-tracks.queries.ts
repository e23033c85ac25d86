/** The double has no levels. */
export async function levelTracks() {
  return [];
}
