import { Portal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Column } from './column.ts';
import classes from './table.module.css';
import { NOTHING } from './table-view.tsx';

/** Rows that are drawn at once: one call for the names of each kind, one layout. */
const CHUNK = 500;

/** Marks of a cell whose name is not loaded yet. */
const LOADING = '.mantine-Skeleton-root, .mantine-Loader-root';

type Reading<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly onRead: (texts: readonly (readonly string[])[]) => void;
};

/**
 * Reads what a table shows of rows that are on none of its pages: they are drawn beside the screen, part by part, until their names are
 * loaded. So a column says once how it is shown, on the screen and in a file.
 * @returns `read`, which gives the texts of all cells, and `hidden`, which the caller draws
 */
export function useRowsReader<Row>() {
  const [reading, setReading] = useState<Reading<Row>>();

  async function read(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<(readonly string[])[]> {
    const texts: (readonly string[])[] = [];
    try {
      for (let start = 0; start < rows.length; start += CHUNK) {
        const part = rows.slice(start, start + CHUNK);
        texts.push(
          ...(await new Promise<readonly (readonly string[])[]>((onRead) =>
            setReading({ columns, rows: part, onRead }),
          )),
        );
      }
    } finally {
      setReading(undefined);
    }
    return texts;
  }

  const hidden: ReactNode = reading && (
    <Portal>
      <HiddenRows {...reading} />
    </Portal>
  );
  return { read, hidden };
}

function HiddenRows<Row>({ columns, rows, onRead }: Reading<Row>) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = container.current;
    if (root === null) return;
    const watch = new MutationObserver(readIfLoaded);
    function readIfLoaded(): void {
      if (root === null || root.querySelector(LOADING) !== null) return;
      watch.disconnect();
      onRead([...root.children].map((row) => [...row.children].map((cell) => shownText(cell as HTMLElement))));
    }
    watch.observe(root, { childList: true, subtree: true });
    readIfLoaded();
    return () => watch.disconnect();
  }, [onRead]);
  return (
    <div ref={container} className={classes['beside']} inert>
      {rows.map((row, index) => (
        // Rows of one part never move, and their keys are not unique in each list.
        <div key={index}>
          {columns.map((column) => (
            <div key={column.key}>{column.render(row)}</div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The text as it is seen: parts that stand beside or below one another are divided by commas. */
function shownText(cell: HTMLElement): string {
  const text = cell.innerText
    .split(/\s*\n\s*/)
    .filter((part) => part !== '')
    .join(', ');
  return text === NOTHING ? '' : text;
}
