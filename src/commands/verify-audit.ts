// Commands of an auditor, who has no database: nothing here may import its modules, which take 0.5 s of processor time.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Config } from '../app/config.ts';
import { BrokenChain, verifyChain } from '../audit/chain/chain.ts';
import { openSecretBox } from './open-secret-box.ts';

/** `laurel audit-key`: prints the public key of future checkpoints. */
export async function printAuditKey(config: Config): Promise<void> {
  console.log((await openSecretBox(config)).sign('').publicKey);
}

/** `laurel audit-verify`: verifies one export, or several consecutive ones, without a database; exits 1 if the verification fails. */
export async function verifyAudit(files: readonly string[], publicKeys: string | undefined): Promise<void> {
  if (files.length === 0)
    throw new Error(
      'Send the file of an export, or several in their order: laurel audit-verify FILE... [--public-key KEY,KEY].',
    );
  const trusted = publicKeys?.split(',').map((key) => key.trim());
  const reading = { file: '', linesBefore: 0 };
  try {
    const proof = await verifyChain(linesOf(files, reading), trusted);
    console.log(
      `Positions ${proof.from} to ${proof.to} of client ${proof.clientId} are complete and as they were written.`,
    );
    const keys = proof.publicKeys.join(', ');
    if (trusted === undefined) console.log(`That rests on the keys in the file; compare them with yours: ${keys}`);
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    const { file, linesBefore } = reading;
    const where = files.length === 1 ? '' : `In ${file}, whose first line is line ${linesBefore + 1} of all: `;
    console.error(where + error.message);
    process.exitCode = 1;
  }
}

/** The lines of several files as one stream; `reading` has their present file. */
async function* linesOf(
  files: readonly string[],
  reading: { file: string; linesBefore: number },
): AsyncGenerator<string> {
  let count = 0;
  for (const file of files) {
    Object.assign(reading, { file, linesBefore: count });
    for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      count += 1;
      yield line;
    }
  }
}
