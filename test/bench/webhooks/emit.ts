/**
 * What an event costs whoever records it, before anything is delivered: the
 * listener of the dispatcher alone, called with events that were made beforehand.
 */
import Fastify from 'fastify'
import type { AuditEvent, AuditPort } from 'svc-kernel'
import svcWebhooks from 'svc-webhooks'
import type { Measurement } from './measurement.ts'
import { median } from './measurement.ts'
import { BENCH_OPTIONS } from './webhook-app.ts'

const ACTIONS = [
  'login.success',
  'login.failure',
  'login.throttled',
  'logout',
  'auth.failure',
  'auth.denied',
  'access.denied',
  'token.issued',
  'token.refreshed',
  'token.revoked',
  'session.opened',
  'session.destroyed'
]

type Listener = (event: AuditEvent) => void

/** The listener of an application with so many endpoints, none of which wants any of the actions. */
async function listener(endpoints: number): Promise<Listener> {
  let heard: Listener | undefined
  const audit: AuditPort = {
    record: () => {},
    recent: () => [],
    flushed: async () => undefined,
    subscribe: (listen) => {
      heard = listen
      return () => {}
    }
  }
  const fastify = Fastify()
  fastify.decorate('audit', audit)
  await fastify.register(svcWebhooks, BENCH_OPTIONS)
  for (let index = 0; index < endpoints; index += 1) {
    const events = ['passkey.registered', 'oauth.*', `config.${index}`]
    await fastify.webhooks.create({ url: 'http://127.0.0.1:9/', events })
  }
  await fastify.ready()
  if (heard === undefined) throw new Error('nobody listens')
  return heard
}

function events(): AuditEvent[] {
  const rest = { outcome: 'failure', actor: 'alice', resource: null, reason: null, ip: null } as const
  const more = { userAgent: null, requestId: null, metadata: {} }
  return ACTIONS.map((action, index) => {
    return Object.freeze({ id: `aud_${index}`, ts: Date.now(), category: 'auth', action, ...rest, ...more })
  })
}

function nanoseconds(listen: Listener, given: readonly AuditEvent[], calls: number): number {
  const start = process.hrtime.bigint()
  for (let index = 0; index < calls; index += 1) listen(given[index % given.length] as AuditEvent)
  return Number(process.hrtime.bigint() - start) / calls
}

async function measure(rounds: number, count: number): Promise<string[]> {
  const cases = [
    { name: 'no endpoint', budget: '<= 10', listen: await listener(0), samples: [] as number[] },
    { name: '100 endpoints, none matches', budget: '<= 20', listen: await listener(100), samples: [] as number[] },
    { name: '1000 endpoints, none matches', budget: 'none', listen: await listener(1000), samples: [] as number[] }
  ]
  const given = events()
  const calls = count * 50
  for (let round = -1; round < rounds; round += 1) {
    for (const { listen, samples } of round % 2 === 0 ? cases : cases.toReversed()) {
      const ns = nanoseconds(listen, given, calls)
      if (round >= 0) samples.push(ns)
    }
  }
  return [
    '| an event that nobody gets | ns | least - most | budget |',
    '|---|---:|---:|---:|',
    ...cases.map(({ name, samples, budget }) => {
      const spread = `${Math.min(...samples).toFixed(1)} - ${Math.max(...samples).toFixed(1)}`
      return `| ${name} | ${median(samples).toFixed(1)} | ${spread} | ${budget} |`
    })
  ]
}

export const emit: Measurement = { name: 'emit', measure }
