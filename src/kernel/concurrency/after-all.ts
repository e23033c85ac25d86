/** A function that runs `work` at its `count`th call, for work that must follow the answers to several callers. */
export function afterAll(count: number, work: () => void): () => void {
  let left = count;
  return () => {
    left -= 1;
    if (left === 0) work();
  };
}
