/** Mails on SQLite, PostgreSQL and documents: with their transaction or not at all, and again after a crash. */
import Fastify from 'fastify'
import svcJobs from 'svc-jobs'
import svcMail, { type Delivery, type MailTransport, type OutgoingMail } from 'svc-mail'
import svcOrm, { defineEntity } from 'svc-orm'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onEveryEngine, type Register } from '../../support/engines.ts'
import { until } from '../../support/until.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })
const MAIL = { to: 'ada@example.org', subject: 'Hello', text: 'a secret link' }

const START = Date.UTC(2026, 0, 1)

/** Takes every mail, and answers as a test says. */
class Server implements MailTransport {
  readonly taken: OutgoingMail[] = []
  answer: (id: string) => Promise<Delivery> = async (id) => ({ id, refused: 0 })

  send(mail: OutgoingMail): Promise<Delivery> {
    this.taken.push(mail)
    return this.answer(mail.messageId)
  }
}

async function opened(t: Test, register: Register, transport: Server, clock = new ManualClock(START)) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureStores(fastify, { clock })
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  await register(fastify)
  await fastify.register(svcJobs, { parts: { clock } })
  await fastify.register(svcMail, { from: 'shop@example.org', parts: { transport } })
  await fastify.ready()
  return fastify
}

t.test('mails', (t) =>
  onEveryEngine(t, async (t, register) => {
    await t.test('a mail leaves with its transaction, or not at all, and leaves no text behind', async (t) => {
      const server = new Server()
      const { mail, orm, jobs } = await opened(t, register, server)
      const notes = orm.repository(Note)
      const lost = orm.transaction(async (tx) => {
        await notes.withTransaction(tx).create({ title: 'lost' })
        await mail.within(tx).send({ ...MAIL, subject: 'Lost' })
        throw new Error('no')
      })
      await t.rejects(lost, /no/)
      const { id } = await orm.transaction(async (tx) => {
        await notes.withTransaction(tx).create({ title: 'kept' })
        return mail.within(tx).send(MAIL)
      })
      await until(async () => (await jobs.get(id)).state === 'done', 'the end of the mail')
      t.strictSame(
        server.taken.map(({ subject, text }) => [subject, text]),
        [['Hello', 'a secret link']]
      )
      t.notMatch(JSON.stringify(await jobs.get(id)), /secret|ada@/)
    })

    await t.test('a process that ends between the answer of the server and the end of the job', async (t) => {
      const server = new Server()
      const clock = new ManualClock(START)
      // The answer is lost with the process.
      server.answer = () => new Promise(() => undefined)
      const first = await opened(t, register, server, clock)
      const { id } = await first.mail.send(MAIL)
      await until(() => server.taken.length === 1, 'the first attempt')
      let isClosed = false
      const closing = first.close().then(() => {
        isClosed = true
      })
      await until(() => {
        clock.advance(1000)
        return isClosed
      }, 'the stop, which gives the attempt up')
      await closing
      const next = new Server()
      const second = await opened(t, register, next, clock)
      await until(async () => {
        clock.advance(1000)
        return (await second.jobs.get(id)).state === 'done'
      }, 'the end of the mail')
      const ids = [...server.taken, ...next.taken].map(({ messageId }) => messageId)
      t.strictSame(ids, [`<${id}@example.org>`, `<${id}@example.org>`], 'the copy can be recognised')
    })
  })
)
