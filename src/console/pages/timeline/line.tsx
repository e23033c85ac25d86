import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { Group, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useFormatter } from 'use-intl';
import classes from './timeline.module.css';

/** One entry: the time, a sentence, and links to its subjects below. */
export function Line(props: {
  readonly moment: Timestamp | undefined;
  /** Whether the line is dimmed, because the entry changed nothing. */
  readonly dimmed?: boolean;
  readonly links: readonly ReactNode[];
  readonly children: ReactNode;
}) {
  const format = useFormatter();
  const links = props.links.filter((link) => link !== undefined && link !== false && link !== '');
  return (
    <li className={classes['line']}>
      <Text size="sm" c="dimmed" className="laurel-number">
        {props.moment && format.dateTime(timestampDate(props.moment), 'time')}
      </Text>
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
      </div>
    </li>
  );
}
