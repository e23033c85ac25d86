import type { en } from './en/index.ts';

/** A catalogue with the same keys as another; the texts may be any. */
type Translated<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Translated<T[Key]> };

/** Every text of the console in one language. English leads: another language without one of its texts does not compile. */
export type Messages = Translated<typeof en>;
