import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import classes from './fault-mark.module.css';
import { type FaultRange, offsetAt } from './fault-range.ts';

/** The styles that decide where each letter of a text area stands. */
const STYLES = [
  ...['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'fontFeatureSettings'],
  ...['letterSpacing', 'lineHeight', 'tabSize', 'textIndent', 'textAlign'],
  ...['paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft'],
  ...['borderTopWidth', 'borderRightWidth', 'borderBottomWidth', 'borderLeftWidth'],
] as const;

/**
 * A wavy line below the mistake in a text area. A text area has no marks, so the same text lies invisibly above it, with the mark.
 * @param props.field the text area, in an element with a position
 */
export function FaultMark({
  field,
  text,
  range: { line, column, endLine, endColumn },
}: {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly range: FaultRange;
}) {
  const layer = useRef<HTMLDivElement>(null);
  const [start, end] = [offsetAt(text, line, column), offsetAt(text, endLine, endColumn)];

  useLayoutEffect(() => {
    if (field.current === null || layer.current === null) return;
    const styles = getComputedStyle(field.current);
    for (const name of STYLES)
      (layer.current.style as unknown as Record<string, string>)[name] = styles[name as 'fontSize'];
    // Without the scroll bar, which takes room from the lines.
    layer.current.style.width = `${field.current.clientWidth + widthOf(styles.borderLeftWidth) + widthOf(styles.borderRightWidth)}px`;
    layer.current.scrollTop = field.current.scrollTop;
  });

  useEffect(() => {
    const area = field.current;
    function follow() {
      if (area !== null && layer.current !== null) layer.current.scrollTop = area.scrollTop;
    }
    area?.addEventListener('scroll', follow);
    return () => area?.removeEventListener('scroll', follow);
  }, [field]);

  return (
    <div ref={layer} className={classes.layer} aria-hidden>
      {text.slice(0, start)}
      <mark className={classes.mark}>{text.slice(start, end) || '\u00A0'}</mark>
      {text.slice(end)}
    </div>
  );
}

function widthOf(pixels: string): number {
  return Number.parseFloat(pixels);
}
