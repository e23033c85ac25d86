/** The process metrics at `/metrics`. */
export type ProcessMetrics = {
  /** Seconds of processor time since its start. */
  readonly processorSeconds: number;
  /** Bytes of memory in use. */
  readonly memory: number;
};

/** Reads the metrics of the process at `baseUrl`. */
export async function processMetrics(baseUrl: string): Promise<ProcessMetrics> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    processorSeconds: value('process_cpu_seconds_total'),
    memory: value('process_resident_memory_bytes'),
  };
}

/** Watches the memory of the process at `baseUrl` while `work` runs, and returns the maximum. */
export async function withPeakMemory<T>(baseUrl: string, work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = 0;
  const look = async () => {
    const { memory } = await processMetrics(baseUrl);
    peak = Math.max(peak, memory);
  };
  // The next sample makes up for a late or lost one.
  const timer = setInterval(() => void look().catch(() => {}), 1_000);
  try {
    const result = await work();
    await look();
    return { result, peak };
  } finally {
    clearInterval(timer);
  }
}
