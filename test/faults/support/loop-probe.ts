// Loaded into a process of the service with `--import`: says on the standard output, five times a second, the most
// processor time that one round of its event loop has taken since. Not the time by the clock, which on a busy machine
// tells of what others do.

const SAY_EVERY_MS = 200;

let last = processorTime();
let longest = 0;

setInterval(() => {
  const now = processorTime();
  longest = Math.max(longest, now - last);
  last = now;
}, 1).unref();

setInterval(() => {
  process.stdout.write(`${JSON.stringify({ longestRound: longest })}\n`);
  longest = 0;
}, SAY_EVERY_MS).unref();

/** Of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
