import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { Group, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useFormatter } from 'use-intl';
import { AccountTime } from './account-clock.tsx';
import classes from './timeline.module.css';

/** One entry: the time, a sentence, and links to its subjects below. */
export function Line(props: {
  readonly moment: Timestamp | undefined;
  /** Whether the line is dimmed, because the entry changed nothing. */
  readonly dimmed?: boolean;
  readonly links: readonly ReactNode[];
  readonly children: ReactNode;
  /** The lines of what the entry caused. */
  readonly beneath?: readonly ReactNode[] | undefined;
}) {
  const format = useFormatter();
  const links = props.links.filter((link) => link !== undefined && link !== false && link !== '');
  return (
    <li className={classes['line']}>
      <div className={classes['moment']}>
        <Text size="sm" c="dimmed" className="laurel-number">
          {props.moment && format.dateTime(timestampDate(props.moment), 'time')}
        </Text>
        {props.moment && <AccountTime moment={timestampDate(props.moment)} />}
      </div>
      <div className={classes['content']}>
        <Text size="sm" component="div" {...(props.dimmed && { c: 'dimmed' })}>
          {props.children}
        </Text>
        {links.length > 0 && (
          <Text size="xs" c="dimmed" component="div">
            <Group gap="2px 16px">
              {links.map((link, index) => (
                <Fragment key={index}>{link}</Fragment>
              ))}
            </Group>
          </Text>
        )}
        {props.beneath !== undefined && props.beneath.length > 0 && (
          <ol className={classes['beneath']}>{props.beneath}</ol>
        )}
      </div>
    </li>
  );
}
