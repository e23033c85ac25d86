/** A function that runs `work` when it is called for the `count`th time: what several callers must have been answered before. */
export function afterAll(count: number, work: () => void): () => void {
  let left = count;
  return () => {
    left -= 1;
    if (left === 0) work();
  };
}
