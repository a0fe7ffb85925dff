/**
 * An organisation is suspended, or closed for its deletion, while its receiver holds a message. The attempt under way ends,
 * and is recorded as it ended; nothing more is sent; what was missed is sent by a recovery once the organisation is open
 * again. The other organisation gets all that is its own, and nothing else.
 */
import { verifyEvent } from 'svc-events/verify'
import t, { type Test } from 'tap'
import { onEveryEngine } from '../../support/engines.ts'
import { DAY_MS, HeldDeliveries, NO_ROWS } from './held-deliveries.ts'

t.setTimeout(300_000)

/** Both ways of closing an organisation, and of opening it again. */
const WAYS: Readonly<Record<string, Way>> = {
  suspended: [
    ({ app, acme }) => app.organizations.suspend(acme.id, 'unpaid'),
    ({ app, acme }) => app.organizations.resume(acme.id)
  ],
  'closed for its deletion': [(desk) => desk.call('POST', '/deletion'), (desk) => desk.call('POST', '/deletion/cancel')]
}

type Step = (desk: HeldDeliveries) => Promise<unknown>
type Way = readonly [close: Step, open: Step]

t.test('in mid-delivery', (t) =>
  onEveryEngine(t, async (t, register) => {
    const desk = await HeldDeliveries.open(t, register)
    for (const [how, way] of Object.entries(WAYS)) {
      await t.test(how, async (t) => {
        await delivered(t, desk, way, how)
        await refused(t, desk, way, how)
        await byHand(t, desk, way, how)
      })
    }
    await nothingForeign(t, desk)
    await t.test('deleted', (t) => deleted(t, desk))
  })
)

/** The receiver takes the message that it held. */
async function delivered(t: Test, desk: HeldDeliveries, [close, open]: Way, how: string): Promise<void> {
  const { acme, globex, clock, app } = desk
  const since = clock.now()
  const [first, second, third] = [`${how} 1`, `${how} 2`, `${how} 3`] as const
  const known = await desk.underWay(first, second)
  await close(desk)
  await acme.emit(third)
  await globex.emit(how)
  await desk.during(() => globex.titles.includes(how), 'what globex gets meanwhile')
  t.equal((await desk.call('GET', '/webhooks')).status, 403)
  await t.rejects(app.events.portal(acme.id), { code: 'SVC_EVENTS_SUSPENDED' })
  desk.answer(200)
  t.equal((await acme.recorded(known.attempts + 1))[0], `${first} delivered 200`, 'it is recorded as it ended')
  await desk.settled()
  t.strictSame(acme.titles.slice(known.arrived), [first], 'nothing more is sent')
  t.equal((await acme.outcomes()).length, known.attempts + 1, 'nor recorded')
  t.strictSame(await acme.journal(since), [first, second, third], 'the journal goes on')
  t.match(await acme.recover(since), { done: 0 }, 'a recovery sends nothing either')

  await open(desk)
  await desk.settled()
  t.strictSame(acme.titles.slice(known.arrived), [first], 'what was discarded does not come by itself')
  t.match(await acme.recover(since), { state: 'done', total: 2, done: 2, failed: 0 })
  t.strictSame(acme.titles.slice(known.arrived), [first, second, third], 'what was missed, oldest first, and once')
}

/** The receiver refuses the message that it held: the attempt that would follow is not made. */
async function refused(t: Test, desk: HeldDeliveries, [close, open]: Way, how: string): Promise<void> {
  const { acme, clock } = desk
  const since = clock.now()
  const [first, second] = [`${how} 4`, `${how} 5`] as const
  const known = await desk.underWay(first, second)
  await close(desk)
  desk.answer(503)
  t.equal((await acme.recorded(known.attempts + 1))[0], `${first} retried 503`)
  await desk.settled()
  t.strictSame(acme.titles.slice(known.arrived), [first], 'it is not tried again')
  t.equal((await acme.outcomes()).length, known.attempts + 1)

  await open(desk)
  t.match(await acme.recover(since), { state: 'done', total: 2, done: 2, failed: 0 })
  const [held, again, other] = acme.arrived.slice(known.arrived)
  t.strictSame(again, held, 'the same message, under the id that it had')
  t.equal(other?.[0], second)
}

/** A message that is sent by hand is under way: a test, or one of the history. */
async function byHand(t: Test, desk: HeldDeliveries, [close, open]: Way, how: string): Promise<void> {
  const { acme, app } = desk
  const registry = app.events.endpoints(acme.id)
  const [[title, id] = ['', '']] = acme.arrived.slice(-1)
  desk.hold()
  const arrived = acme.arrived.length
  await registry.resend(acme.endpoint, id)
  await desk.during(() => desk.receiver.waiting === 1, 'the message')
  await close(desk)
  const attempts = (await acme.outcomes()).length
  desk.answer(200)
  t.equal((await acme.recorded(attempts + 1))[0], `${title} delivered 200`)
  await registry.resend(acme.endpoint, id)
  await desk.settled()
  t.equal(acme.arrived.length, arrived + 1, `${how}: nothing is sent, not even by hand`)
  await open(desk)
}

async function nothingForeign(t: Test, { acme, globex, receiver }: HeldDeliveries): Promise<void> {
  for (const [own, other] of [
    [acme, globex],
    [globex, acme]
  ] as const) {
    const messages = receiver.received.filter(({ path }) => path === `/${own.slug}`)
    t.ok(messages.length > 2)
    for (const message of messages) {
      t.notOk(message.body.includes(`of ${other.slug}`), `a message to ${own.slug}`)
      await t.rejects(verifyEvent(message as never, other.secret, { toleranceS: Number.MAX_SAFE_INTEGER }))
    }
  }
}

/** What goes with the organisation, after its days of grace. */
async function deleted(t: Test, desk: HeldDeliveries): Promise<void> {
  const { acme, globex, clock } = desk
  const known = await desk.underWay('last 1', 'last 2')
  t.equal((await desk.call('POST', '/deletion')).status, 202)
  await acme.emit('last 3')
  desk.answer(503)
  await acme.recorded(known.attempts + 1)
  await desk.settled()
  await desk.app.jobs.drain()
  const { body } = await desk.call('GET', '/deletion/export')
  const titles = (body.events as { data: { title: string } }[]).map(({ data }) => data.title)
  t.strictSame(titles.slice(-3), ['last 1 of acme', 'last 2 of acme', 'last 3 of acme'], 'the archive has the journal')
  t.notOk(JSON.stringify(body).includes('of globex'))
  const theirs = globex.titles.length
  clock.advance(31 * DAY_MS)
  await desk.sweep()
  t.equal(await desk.app.organizations.find(acme.id), null)
  t.strictSame(await acme.rows(), NO_ROWS)
  await t.rejects(acme.emit('gone'), { code: 'SVC_EVENTS_ORGANIZATION' })
  await globex.emit('after it')
  await desk.during(() => globex.titles.includes('after it'), 'what globex gets')
  t.equal(globex.titles.length, theirs + 1, 'and nothing else')
  t.strictSame(acme.titles.slice(known.arrived), ['last 1'])
  t.strictSame(await acme.rows(), NO_ROWS, 'nothing is written of it later')
}
