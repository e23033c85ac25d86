import type { Logger } from 'pino';
import { useTracer } from '../../kernel/tracing.ts';

/** Running tracing, to be stopped at the end of the process. */
export type Tracing = {
  /** Sends the remaining spans, for two seconds at most, and switches tracing off. */
  stop(): Promise<void>;
};

/**
 * Sends traces by OTLP over HTTP to the receiver in OpenTelemetry's own variables. Undefined without a receiver: then no OpenTelemetry
 * library is loaded, and tracing is off.
 * @throws Error with a text for an operator if OTEL_TRACES_SAMPLER or its argument is invalid
 */
export async function startTracing(env: NodeJS.ProcessEnv, logger: Logger): Promise<Tracing | undefined> {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const isOff = env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (!endpoint || isOff) return undefined;
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol !== undefined && protocol !== 'http/json')
    logger.warn({ protocol }, 'traces are sent by OTLP as http/json, which every receiver of OTLP over HTTP takes');
  const { openTelemetry } = await import('./open-telemetry.ts');
  const { tracer, stop } = openTelemetry(env, logger);
  useTracer(tracer);
  logger.info('traces are sent by OTLP');
  return {
    async stop() {
      useTracer(undefined);
      await stop();
    },
  };
}
