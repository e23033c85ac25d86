export const LF = 10;
export const CR = 13;

/** The number of line ends in a part of the bytes: CRLF, LF or CR. */
export function lineEnds(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) count += 1;
  }
  return count;
}
