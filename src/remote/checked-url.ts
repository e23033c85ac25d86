import { UsageError } from '../kernel/usage-error.ts';

/** @throws UsageError if it is no address of http */
export function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '');
  throw new UsageError(`'${text}' is no address: send one such as https://laurel.example.`);
}
