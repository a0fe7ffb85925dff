/** Metrics of `metrics: true`: durations of requests, statements and deliveries, in seconds, with the meter of the SDK. */
import { type Attributes, type Histogram, metrics } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DeliveryRun, requestChannels, type Statement } from 'svc-kernel'
import { ATTRIBUTE, METRIC, OTHER_ERROR } from './attributes.ts'

/** The buckets that the conventions advise. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const STATEMENT_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export class Durations {
  readonly #requests: Histogram
  readonly #statements: Histogram
  readonly #deliveries: Histogram

  constructor() {
    const meter = metrics.getMeter('svc-otel')
    const histogram = (name: string, explicitBucketBoundaries: number[]) =>
      meter.createHistogram(name, { unit: 's', advice: { explicitBucketBoundaries } })
    this.#requests = histogram(METRIC.requests, REQUEST_SECONDS)
    this.#statements = histogram(METRIC.statements, STATEMENT_SECONDS)
    this.#deliveries = histogram(METRIC.deliveries, REQUEST_SECONDS)
  }

  /** Records statements and deliveries of the process. @returns ends it */
  listen(): () => void {
    const begun = new WeakMap<DeliveryRun, number>()
    const ends = [
      requestChannels.statement.subscribe((event) => this.#stated(event)),
      requestChannels.delivery.subscribe({
        start: (run) => void begun.set(run, performance.now()),
        over: (run) => {
          const start = begun.get(run)
          if (start !== undefined) this.#delivered(run, performance.now() - start)
        }
      })
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  /** @param code of the error that was answered */
  answered(request: FastifyRequest, reply: FastifyReply, code: string | null): void {
    const { statusCode, elapsedTime } = reply
    const { url } = request.routeOptions
    const attributes: Attributes = {
      [ATTRIBUTE.requestMethod]: request.method,
      [ATTRIBUTE.scheme]: request.protocol,
      [ATTRIBUTE.statusCode]: statusCode,
      ...(url !== undefined && { [ATTRIBUTE.route]: url }),
      ...(statusCode >= 500 && { [ATTRIBUTE.errorType]: code ?? String(statusCode) })
    }
    this.#requests.record(elapsedTime / 1000, attributes)
  }

  #stated({ system, kind, table, durationMs, failed }: Statement): void {
    this.#statements.record(durationMs / 1000, {
      ...(system !== undefined && { [ATTRIBUTE.dbSystem]: system }),
      [ATTRIBUTE.dbOperation]: kind,
      ...(table !== null && { [ATTRIBUTE.dbCollection]: table }),
      ...(failed && { [ATTRIBUTE.errorType]: OTHER_ERROR })
    })
  }

  #delivered({ type, status, outcome = OTHER_ERROR }: DeliveryRun, durationMs: number): void {
    this.#deliveries.record(durationMs / 1000, {
      [ATTRIBUTE.eventType]: type,
      ...(status !== undefined && { [ATTRIBUTE.statusCode]: status }),
      ...(status === undefined && { [ATTRIBUTE.errorType]: outcome })
    })
  }
}
