import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 how the service makes garbage: what a request or a batch of events makes dies with it. For the whole process,
 * threads included; to be called before there is work. Two processors, each figure of several processes.
 */
export function tuneGarbageCollection(): void {
  // V8 decides in the first seconds, for the life of the process, whether a place in the code makes its objects in the old
  // generation. A batch outlives two young collections often enough to be taken for lasting; then one dead object of it in the
  // old generation keeps all that it refers to, and 12 % of what was made was copied there instead of 2 %. Of processes with
  // the same code some took 6 µs an event to collect and 90 to 100 in all, others 14 and 110 to 125 (`bench/pairs.ts`).
  setFlagsFromString('--no-allocation-site-pretenuring');
  // By itself V8 lets the old generation grow to four times what lives before it collects. Beside a client whose answers tell
  // of 5,000 missions, to three times is 445 MiB instead of 480 to 530, and no slower; to twice is 356, but other clients'
  // slowest events take 112 ms instead of 85 (`npm run bench -- catalogue`).
  setFlagsFromString('--heap-growing-percent=200');
}
