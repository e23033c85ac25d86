import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 make every object in the young generation, where what dies with its batch costs nothing to collect. For the whole
 * process, threads included; to be called before there is work.
 *
 * V8 otherwise decides in the first seconds, for the life of the process, whether a place in the code makes its objects in the
 * old generation. A batch of events outlives two young collections often enough to be taken for lasting: then one dead
 * object of it in the old generation keeps all that it refers to, 12 % of what is made was copied there instead of 2 %. Of two
 * processes with the same code one took 6 µs an event to collect, the other 14, and 90 to 100 or 110 to 125 µs in all
 * (`bench/pairs.ts`, REST, two processors, 11 processes of each kind; without pretenuring 5 of 5 were of the better one).
 */
export function withoutPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
