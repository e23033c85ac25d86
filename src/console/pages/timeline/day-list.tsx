import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { Button, Card, Center, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import classes from './timeline.module.css';

/** The state of an infinite query of rows. */
export type DayListQuery<Row> = {
  readonly rows: readonly Row[] | undefined;
  readonly failure: unknown;
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  readonly more: () => void;
  readonly retry: () => void;
};

/** Rows under the days of the person's own clock, the latest first, with a button for earlier ones. */
export function DayList<Row>(props: {
  readonly query: DayListQuery<Row>;
  readonly momentOf: (row: Row) => Timestamp | undefined;
  readonly keyOf: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  readonly empty: ReactNode;
}) {
  const t = useTranslations('timeline');
  const format = useFormatter();
  const { rows, failure, hasMore, isFetchingMore, more, retry } = props.query;
  if (failure !== null) return <FailureAlert error={failure} retry={retry} />;
  if (rows === undefined) return <Skeleton h={320} />;
  if (rows.length === 0) return <Card>{props.empty}</Card>;
  const msOf = (row: Row) => {
    const moment = props.momentOf(row);
    return moment === undefined ? 0 : timestampMs(moment);
  };
  const dayOf = (row: Row) => (msOf(row) === 0 ? '' : format.dateTime(new Date(msOf(row)), 'day'));
  // The service orders them by the time of recording; a late one is moved to the time of its occurrence.
  const ordered = rows.toSorted((one, other) => msOf(other) - msOf(one));
  return (
    <Stack gap="md">
      {[...Map.groupBy(ordered, dayOf)].map(([day, some]) => (
        <Card key={day} component="section" aria-label={day}>
          <Title order={2} size="h4" mb="xs">
            {day}
          </Title>
          <ol className={classes['list']}>
            {some.map((row) => (
              <DayRow key={props.keyOf(row)}>{props.render(row)}</DayRow>
            ))}
          </ol>
        </Card>
      ))}
      {hasMore && (
        <Center>
          <Button variant="default" loading={isFetchingMore} onClick={more}>
            {t('more')}
          </Button>
        </Center>
      )}
    </Stack>
  );
}

function DayRow({ children }: { readonly children: ReactNode }) {
  return children;
}
