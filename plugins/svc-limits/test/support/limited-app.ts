/** A Fastify with svc-limits on a clock that stands still. */
import Fastify, { type FastifyInstance } from 'fastify'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import svcLimits, { type SvcLimitsOptions, type SvcLimitsParts } from '../../src/index.ts'

export interface LimitedApp {
  readonly fastify: FastifyInstance
  readonly clock: ManualClock
  /** Lines of the log. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
}

/** @param routes declares the routes, before the application is ready */
export async function limitedApp(
  t: Test,
  routes: (fastify: FastifyInstance) => void,
  { parts, ...options }: SvcLimitsOptions & { readonly parts?: SvcLimitsParts } = {}
): Promise<LimitedApp> {
  const clock = new ManualClock()
  const lines: Record<string, unknown>[] = []
  const stream = { write: (text: string) => void lines.push(JSON.parse(text)) }
  const fastify = Fastify({ logger: { level: 'info', stream }, disableRequestLogging: true })
  t.teardown(() => fastify.close())
  await fastify.register(svcLimits, { ...options, parts: { clock, ...parts } })
  routes(fastify)
  await fastify.ready()
  return { fastify, clock, lines }
}
