/** Events on every database: stored by one statement of a transaction, and what follows from them. */

import type { FastifyInstance } from 'fastify'
import { verifyEvent } from 'svc-events/verify'
import { requestChannels } from 'svc-kernel'
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { bearer } from '../../support/plain-credential.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { API, type events, eventsApp, Ticket } from './events-app.ts'

t.setTimeout(240_000)

/** Statements that write, or read, and not those that begin and end transactions. */
const FRAME = /^(?:begin|commit|rollback|savepoint|release|start|abort|set)/i

t.test('a transaction', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const heard: string[] = []
    const bodies: unknown[] = []
    const { app } = await eventsApp(t, database, ({ jobs, events }) => {
      for (const name of ['first', 'second']) {
        jobs.define(name, {}, (body) => void bodies.push([name, body]))
        events.on('ticket.created', name)
      }
    })
    const { orm } = app
    if (t.name === 'memory') {
      await t.rejects(
        orm.transaction(async (tx) =>
          app.events.within(tx).emit('ticket.created', { title: 'a' }, { organization: 'acme' })
        ),
        { code: 'SVC_STORE_TRANSACTION' }
      )
      return
    }
    const emitted = async (count: number) => {
      const from = heard.length
      await orm.transaction(async (tx) => {
        await orm.repository(Ticket).withTransaction(tx).create({ title: 'a' })
        for (let at = 0; at < count; at += 1) {
          await app.events.within(tx).emit('ticket.created', { title: 'a' }, { organization: 'acme' })
        }
      })
      return heard.slice(from)
    }
    // The tables of the outbox alone: the relay works beside.
    const end = requestChannels.statement.subscribe(({ kind, table }) => {
      if (
        !FRAME.test(kind) &&
        (table?.includes('event_outbox') || table?.includes('event_journal')) &&
        kind.startsWith('insert')
      )
        heard.push(`${kind} ${table}`)
    })
    t.teardown(() => typeof end === 'function' && end())
    const one = (await emitted(1)).filter((each) => each.includes('outbox'))
    t.equal(one.length, 1, one.join(', '))

    await until(() => bodies.length === 2, 'both jobs')
    t.strictSame(new Set(bodies.map((each) => (each as [string])[0])), new Set(['first', 'second']))
    const { events: listed } = await app.events.list('acme')
    t.equal(listed.length, 1)
    t.match(listed[0], { type: 'ticket.created', version: 2, organization: 'acme', data: { title: 'a' } })
    const { cause, ...message } = listed[0] ?? { cause: undefined }
    t.equal(cause, null, 'nobody caused it')
    t.strictSame((bodies[0] as [string, object])[1], message)

    await t.rejects(
      orm.transaction(async (tx) => {
        await orm.repository(Ticket).withTransaction(tx).create({ title: 'refused' })
        await app.events.within(tx).emit('ticket.created', { title: 7 }, { organization: 'acme' })
      }),
      { code: 'SVC_EVENTS_DATA' }
    )
    await t.rejects(
      orm.transaction(async (tx) => {
        await app.events.within(tx).emit('ticket.created', { title: 'undone' }, { organization: 'acme' })
        throw new Error('no')
      }),
      /no/
    )
    await app.events.emit('ticket.created', { title: 'after' }, { organization: 'acme' })
    await until(async () => (await app.events.list('acme')).events.length === 2, 'the event after')
    t.equal(await orm.repository(Ticket).count({}), 1, 'what the refused transaction wrote is undone')
    await until(() => bodies.length === 4, 'two jobs more')
  })
)

t.test('statements of an emission', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    if (t.name === 'memory') return
    // Nothing is handed on, and no job is looked for meanwhile: every statement that is heard belongs to the transaction.
    const listen = ({ jobs, events }: FastifyInstance) => {
      for (const name of ['first', 'second', 'third']) {
        jobs.define(name, {}, () => undefined)
        events.on('ticket.created', name)
      }
    }
    const { app } = await eventsApp(t, database, listen, { run: false })
    const { orm } = app
    // Whoever listens: three jobs, the journal, the channel, and these endpoints.
    for (let at = 0; at < 3; at += 1) {
      await app.events.endpoints('acme').create({ url: 'http://127.0.0.1:9/', events: ['*'] })
    }
    let heard: string[] = []
    const hear = ({ kind, table }: { readonly kind: string; readonly table: string | null }) => {
      if (!FRAME.test(kind)) heard.push(`${kind} ${table}`)
    }
    const end = requestChannels.statement.subscribe(hear)
    const counted = async (emissions: number) => {
      heard = []
      await orm.transaction(async (tx) => {
        await orm.repository(Ticket).withTransaction(tx).create({ title: 'a' })
        for (let at = 0; at < emissions; at += 1) {
          await app.events.within(tx).emit('ticket.created', { title: 'a' }, { organization: 'acme' })
        }
      })
      return heard.length
    }
    const alone = await counted(0)
    t.ok(alone > 0, 'statements are heard')
    t.equal(await counted(1), alone + 1, heard.join(', '))
    t.equal(await counted(3), alone + 3, heard.join(', '))
    if (typeof end === 'function') end()
  })
)

t.test('deliveries, suspension and deletion', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const receiver = await WebhookReceiver.start(t)
    const { app, states } = await eventsApp(t, database)
    const secrets = new Map<string, string>()
    for (const organization of ['acme', 'globex']) {
      const url = `${API(organization)}/webhooks`
      const payload = { url: receiver.url(`/${organization}`), events: ['ticket.created'] }
      const made = await app.inject({ method: 'POST', url, headers: bearer(organization), payload })
      t.equal(made.statusCode, 201, made.body)
      t.match(made.headers.location, new RegExp(`^${url}/wh_`))
      secrets.set(organization, made.json<{ secret: string }>().secret)
    }
    const got = (organization: string) => receiver.received.filter(({ path }) => path === `/${organization}`)
    const emit = (organization: string, title: string, type: 'ticket.created' | 'ticket.closed' = 'ticket.created') =>
      app.events.emit(type, { title }, { organization })
    await emit('acme', 'one')
    await emit('acme', 'not subscribed', 'ticket.closed')
    await emit('globex', 'two')
    await receiver.until(() => got('acme').length === 1 && got('globex').length === 1)
    const message = await verifyEvent<typeof events>(got('acme')[0] as never, secrets.get('acme') ?? '')
    t.match(message, { type: 'ticket.created', version: 2, data: { title: 'one' } })
    await t.rejects(verifyEvent(got('acme')[0] as never, secrets.get('globex') ?? ''), {
      name: 'EventVerificationError',
      message: 'no signature matches'
    })

    // The receiver of acme holds what it gets; suspended meanwhile, the next attempt is not made.
    receiver.status = (path) => (path === '/acme' ? 503 : 200)
    await emit('acme', 'three')
    await receiver.until(() => got('acme').length === 2)
    states.set('acme', 'suspended')
    await emit('acme', 'while suspended')
    await emit('globex', 'meanwhile')
    await receiver.until(() => got('globex').length === 2)
    const refusedCall = await app.inject({ url: `${API('acme')}/webhooks`, headers: bearer('acme') })
    t.equal(refusedCall.json().code, 'SVC_EVENTS_SUSPENDED')
    await until(
      async () => (await app.events.list('acme')).events.length === 4,
      'the journal of a suspended organisation'
    )
    t.equal(got('acme').length, 2)

    states.set('acme', null)
    await app.events.forget('acme')
    await app.events.forget('acme')
    await t.rejects(emit('acme', 'gone'), { code: 'SVC_EVENTS_ORGANIZATION', statusCode: 404 })
    t.strictSame((await app.events.list('acme')).events, [])
    states.set('acme', 'active')
    const list = await app.inject({ url: `${API('acme')}/webhooks`, headers: bearer('acme') })
    t.equal(list.json().total, 0, 'the endpoints are gone')
    await emit('globex', 'still there')
    await receiver.until(() => got('globex').length === 3)
    t.equal(got('acme').length, 2, 'nobody gets what waited')
  })
)
