import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { type Campaign, CampaignPhase_Value } from '../../../../../gen/laurel/v1/campaign_pb.ts';
import { enumName } from '../../../api/enum-name.ts';
import { CampaignPhase, phaseColours } from '../campaign-phase.tsx';
import classes from './calendar.module.css';
import type { CalendarWindow, Scale } from './calendar-window.ts';
import { positionIn, type Span } from './spans.ts';

/** The days or months above the bars. */
export function CalendarHead(props: { readonly window: CalendarWindow; readonly scale: Scale; readonly now: number }) {
  const format = useFormatter();
  const { window, scale } = props;
  const style = scale === 'weeks' ? ({ day: 'numeric', month: 'short' } as const) : ({ month: 'long' } as const);
  return (
    <div className={`${classes['row']} ${classes['head']}`} aria-hidden>
      <div />
      <div className={classes['track']}>
        {window.ticks.map(({ day, at }) => (
          <span key={day} className={classes['tick']} style={{ left: `${percentAt(window, at)}%` }}>
            <span className={classes['label']}>
              {format.dateTime(new Date(`${day}T00:00Z`), { ...style, timeZone: 'UTC' })}
            </span>
          </span>
        ))}
        <Today window={window} now={props.now} />
      </div>
    </div>
  );
}

/** One campaign: in words, and on wide screens as a bar. */
export function CalendarRow(props: {
  readonly campaign: Campaign;
  readonly run?: Span | undefined;
  readonly pauses?: readonly Span[] | undefined;
  readonly window: CalendarWindow;
  readonly now: number;
}) {
  const { campaign, run, pauses = [], window, now } = props;
  return (
    <li className={classes['row']}>
      <div>
        <Group gap="xs">
          <Anchor component={Link} to={`/campaigns/${campaign.id}`} size="sm" fw={550} lineClamp={2}>
            {campaign.name}
          </Anchor>
          <CampaignPhase phase={campaign.phase} />
        </Group>
        {run && <RunInWords run={run} pauses={pauses} now={now} />}
      </div>
      {run && <Track campaign={campaign} run={run} pauses={pauses} window={window} now={now} />}
    </li>
  );
}

/** The bar of a campaign on its weeks or months; the words beside it say the same to screen readers. */
function Track(props: {
  readonly campaign: Campaign;
  readonly run: Span;
  readonly pauses: readonly Span[];
  readonly window: CalendarWindow;
  readonly now: number;
}) {
  const { campaign, run, pauses, window, now } = props;
  const phase = enumName(CampaignPhase_Value, campaign.phase ?? CampaignPhase_Value.DRAFT);
  const position = positionIn(window, run);
  return (
    <div className={classes['track']} aria-hidden>
      {window.ticks.map(({ day, at }) => (
        <span key={day} className={classes['tick']} style={{ left: `${percentAt(window, at)}%` }} />
      ))}
      {position && (
        <div
          data-bar={phase}
          className={phase === 'DRAFT' ? `${classes['bar']} ${classes['draft']}` : classes['bar']}
          style={{ ...inPercent(position), background: `var(--mantine-color-${phaseColours[phase]}-filled)` }}
        />
      )}
      {pauses.map((pause) => {
        const hatched = positionIn(window, pause);
        return hatched && <span key={pause.from} data-pause className={classes['pause']} style={inPercent(hatched)} />;
      })}
      <Today window={window} now={now} />
    </div>
  );
}

function RunInWords(props: { readonly run: Span; readonly pauses: readonly Span[]; readonly now: number }) {
  const t = useTranslations('campaigns.calendar');
  const format = useFormatter();
  const { run, pauses, now } = props;
  const day = (moment: number) => format.dateTime(new Date(moment), 'day');
  const going = pauses.find(({ from, until }) => from <= now && until > now);
  const end = Number.isFinite(run.until) ? t('until', { day: day(run.until) }) : t('openEnd');
  const words = [
    `${t('from', { day: day(run.from) })}, ${end}`,
    going ? t('pausedNow', { day: day(going.from) }) : '',
    going === undefined && pauses.length > 0 ? t('pausedBefore', { count: pauses.length }) : '',
  ];
  return (
    <Text size="xs" c="dimmed">
      {words.filter((part) => part !== '').join(' · ')}
    </Text>
  );
}

function Today({ window, now }: { readonly window: CalendarWindow; readonly now: number }) {
  if (now < window.from || now >= window.until) return null;
  return <span data-today className={classes['today']} style={{ left: `${percentAt(window, now)}%` }} />;
}

function inPercent({ left, width }: { readonly left: number; readonly width: number }) {
  return { left: `${left}%`, width: `${width}%` };
}

function percentAt(window: CalendarWindow, at: number): number {
  return (100 * (at - window.from)) / (window.until - window.from);
}
