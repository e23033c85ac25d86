/** Why a whole file cannot be loaded, in words for the operator who sent it. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
}
