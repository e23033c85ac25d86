import { Fragment } from 'react';

/** Characters above which a part of an address may break anywhere, because it is wider than a column. */
const LONG = 32;

/** A name that may be an e-mail: line breaks come after its signs and not within its words. */
export function EMail({ children }: { readonly children: string }) {
  const parts = children.split(/(?<=[@.+_-])/);
  const isLong = parts.some((part) => part.length > LONG);
  return (
    <span style={{ overflowWrap: isLong ? 'anywhere' : 'break-word' }}>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
