/** Failures and denials of the journal, to administrators who listen. */
import Fastify from 'fastify'
import type { AuditEvent, AuditPort } from 'svc-kernel'
import t from 'tap'
import type { RealtimeAdapter } from '../src/index.ts'
import svcRealtime from '../src/index.ts'
import { ADMIN, ALICE, realtimeApp } from './support/realtime-app.ts'
import { RpcClient } from './support/rpc-client.ts'

const CHANNEL = { channel: 'svc:alerts' }

function anEvent(given: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: 'aud_1',
    ts: 1,
    category: 'auth',
    action: 'login.failure',
    outcome: 'failure',
    actor: 'mallory',
    resource: null,
    reason: 'password',
    ip: '192.0.2.1',
    userAgent: 'curl',
    requestId: 'req-1',
    metadata: { secret: 'not for alerts' },
    ...given
  }
}

/** A journal that the test speaks for. */
class Journal implements AuditPort {
  readonly listeners = new Set<(event: AuditEvent) => void>()

  record(): void {
    // Nothing is kept.
  }

  subscribe(listener: (event: AuditEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  flushed(): Promise<void> {
    return Promise.resolve()
  }

  recent(): readonly AuditEvent[] {
    return []
  }

  say(event: AuditEvent): void {
    for (const listener of this.listeners) listener(event)
  }
}

t.test('W7: the compact form of failures and denials, for administrators alone', async (t) => {
  const { fastify, tell } = await realtimeApp(t)
  const admin = await RpcClient.open(fastify, ADMIN)
  const alice = await RpcClient.open(fastify, ALICE)
  t.match(await admin.call('channel.subscribe', CHANNEL), { result: CHANNEL })
  t.match(await alice.call('channel.subscribe', CHANNEL), { error: { code: -32003 } })
  t.match(
    await admin.call('channel.publish', { ...CHANNEL, data: 1 }),
    { error: { code: -32003 } },
    'nothing is forged'
  )

  tell(anEvent())
  tell(anEvent({ id: 'aud_2', action: 'login.success', outcome: 'success' }))
  tell(anEvent({ id: 'aud_3', action: 'access.denied', outcome: 'denied', actor: null, reason: 'abstain' }))
  t.strictSame(await admin.notification('channel.message'), {
    ...CHANNEL,
    data: { id: 'aud_1', type: 'login.failure', data: { actor: 'mallory', outcome: 'failure', reason: 'password' } }
  })
  t.strictSame(await admin.notification('channel.message'), {
    ...CHANNEL,
    data: { id: 'aud_3', type: 'access.denied', data: { actor: null, outcome: 'denied', reason: 'abstain' } }
  })
  await alice.settled()
  t.notOk(alice.untaken.some(({ method }) => method === 'channel.message'))
})

t.test('W7: without a listener nothing is written', async (t) => {
  const { fastify, tell } = await realtimeApp(t)
  let reads = 0
  const event = anEvent()
  const watched = {
    ...event,
    get reason() {
      reads += 1
      return event.reason
    }
  }
  tell(watched)
  t.equal(reads, 0)
  const admin = await RpcClient.open(fastify, ADMIN)
  await admin.call('channel.subscribe', CHANNEL)
  tell(watched)
  t.ok(reads > 0)
})

t.test('W7: other instances get it by way of the adapter, whoever listens here', async (t) => {
  const sent: string[] = []
  const adapter: RealtimeAdapter = {
    name: 'test',
    connected: true,
    lost: 0,
    start: () => undefined,
    publish: (channel, data) => void sent.push(`${channel} ${data}`),
    stop: () => undefined
  }
  const { tell } = await realtimeApp(t, { options: { parts: { adapter } } })
  tell(anEvent({ outcome: 'success' }))
  tell(anEvent())
  t.match(sent, [/^svc:alerts .*login\.failure/])
  t.equal(sent.length, 1)
})

t.test('W7: a journal that is registered later counts too; without one there is none', async (t) => {
  const journal = new Journal()
  const fastify = Fastify()
  await fastify.register(svcRealtime)
  fastify.decorate('audit', journal)
  await fastify.ready()
  t.equal(journal.listeners.size, 1)
  await fastify.close()
  t.equal(journal.listeners.size, 0)

  const without = Fastify()
  await without.register(svcRealtime)
  await without.ready()
  await without.close()
})

t.test('every event as it is, to administrators of this instance alone', async (t) => {
  const channel = { channel: 'svc:audit' }
  const sent: string[] = []
  const adapter: RealtimeAdapter = {
    name: 'test',
    connected: true,
    lost: 0,
    start: () => undefined,
    publish: (name) => void sent.push(name),
    stop: () => undefined
  }
  const { fastify, tell } = await realtimeApp(t, { options: { parts: { adapter } } })
  const admin = await RpcClient.open(fastify, ADMIN)
  const alice = await RpcClient.open(fastify, ALICE)
  t.match(await admin.call('channel.subscribe', channel), { result: channel })
  t.match(await alice.call('channel.subscribe', channel), { error: { code: -32003 } })
  const event = anEvent({ action: 'login.success', outcome: 'success' })
  tell(event)
  t.strictSame(await admin.notification('channel.message'), { ...channel, data: event })
  t.strictSame(sent, [], 'no other instance is told')
})
