/** The reason why a whole file cannot be loaded, for the operator who sent it. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
}
