import { measuredTogether } from '../measured-together.ts';
import { withWorkbench } from '../support/workbench.ts';
import { measureIsolation } from './isolation.ts';
import { measureLatency } from './latency.ts';
import { measureRate } from './rate.ts';
import { setStage } from './stage.ts';

export default measuredTogether(
  'webhooks',
  {
    rate: {
      about:
        'Webhooks sent per second when many wait, out of the outbox and into the log, against a bare loop over got with as many requests in flight.',
      aim: 0.6,
    },
    latency: {
      about: 'Milliseconds from a commit to the webhook at its receiver on an idle service, p50, against 20.',
      aim: 1,
      lessIsBetter: true,
    },
    isolation: {
      about:
        "Milliseconds to the other clients' receivers, p99, while one client's receiver does not answer, against the same while it does.",
      aim: 1.25,
      lessIsBetter: true,
    },
  },
  (settings) =>
    withWorkbench('webhooks', async (workbench) => {
      const stage = await setStage(workbench);
      const latency = await measureLatency(stage, settings);
      const isolation = await measureIsolation(stage, settings);
      const rate = await measureRate(workbench, stage, settings);
      await stage.verify(latency.sent + isolation.sent + rate.sent);
      return { rate: rate.result, latency: latency.result, isolation: isolation.result };
    }),
);
