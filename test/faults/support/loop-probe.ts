// Loaded into a process of the service with `--import`. Prints, five times a second, the longest processor time of a round of its event
// loop since the last line. Processor time, unlike elapsed time, does not depend on other programs of a busy machine.

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

/** The processor time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
