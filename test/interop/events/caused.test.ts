/** One chain on every database: a request, the event it emits, the jobs that listen, what they emit, and the deliveries. */
import type { CurrentJob } from 'svc-kernel'
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { bearer } from '../../support/plain-credential.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { API, eventsApp, Ticket } from './events-app.ts'

t.setTimeout(240_000)

t.test('who caused it', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const receiver = await WebhookReceiver.start(t)
    const ran: [name: string, job: CurrentJob, body: object][] = []
    const { app } = await eventsApp(t, database, (app) => {
      const { jobs, events } = app
      jobs.define('close', {}, async (body, job) => {
        ran.push(['close', job, body as object])
        await events.emit('ticket.closed', { title: 'a' }, { organization: 'acme' })
        await jobs.add('after', {})
      })
      jobs.define('after', {}, (body, job) => void ran.push(['after', job, body as object]))
      events.on('ticket.created', 'close')
      app.post(`${API('acme')}/tickets`, async (request) => {
        await events.emit('ticket.created', { title: 'a' }, { organization: 'acme' })
        return { requestId: request.id }
      })
    })
    const { endpoint } = await app.events.endpoints('acme').create({ url: receiver.url('/'), events: ['*'] })
    const answers = []
    for (const user of ['ada', 'grace']) {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: `${API('acme')}/tickets`,
        headers: bearer(user)
      })
      t.equal(statusCode, 200, body)
      answers.push({ user, requestId: String(JSON.parse(body).requestId) })
    }
    await until(() => ran.length === 4 && receiver.received.length === 4, 'four jobs and four deliveries')

    const journal = (await app.events.list('acme')).events
    for (const { user, requestId } of answers) {
      const caused = { user, token: 'apikey', requestId }
      const [created] = journal.filter(({ type, cause }) => type === 'ticket.created' && cause?.user === user)
      t.strictSame(created?.cause, { ...caused, job: null }, 'the event knows its request')
      const [close] = ran.filter(([name, { cause }]) => name === 'close' && cause?.user === user)
      t.match(close?.[1].cause, { ...caused, job: null }, 'the job that listens knows it')
      t.strictSame(Object.keys(close?.[2] ?? {}), ['id', 'type', 'version', 'organization', 'ts', 'data'])
      const [closed] = journal.filter(({ type, cause }) => type === 'ticket.closed' && cause?.user === user)
      t.strictSame(closed?.cause, { ...caused, job: close?.[1].id }, 'what that job emits knows both')
      const [after] = ran.filter(([name, { cause }]) => name === 'after' && cause?.user === user)
      t.match(after?.[1].cause, { ...caused, job: close?.[1].id }, 'and what it adds')
    }
    const sent = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    t.strictSame(
      new Set(sent.map(({ event }) => event)),
      new Set(journal.map(({ id }) => id)),
      'deliveries name their event'
    )
    await until(async () => (await app.events.endpoints('acme').deliveries(endpoint.id)).length === 4, 'their history')

    const shown = [
      ...receiver.received.map(({ body }) => body.toString()),
      ...(await Promise.all(
        ['events', 'events/export', `events/${journal[0]?.id}`].map(async (path) => {
          const { statusCode, body } = await app.inject({ url: `${API('acme')}/${path}`, headers: bearer('acme') })
          t.equal(statusCode, 200, body)
          return body
        })
      ))
    ]
    for (const text of shown) t.notMatch(text, /ada|grace|requestId/, 'customers do not see who it was')
  })
)
