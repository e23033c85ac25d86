import type { SessionKeeper } from '../session/session-keeper.ts';
import { callRest } from './rest.ts';

/** Fetches a file of the service and hands it to the browser to save. The browser stores large files on its disk. */
export async function download(keeper: SessionKeeper, path: string, fileName: string): Promise<void> {
  const response = await callRest(keeper, path);
  saveFile(await response.blob(), fileName);
}

/** Hands a file to the browser to save. */
export function saveFile(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the address after the click returned; a minute is ample.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
