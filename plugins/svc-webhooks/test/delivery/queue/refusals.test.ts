/** A full queue of refusals that one network provokes leaves room for what else happened, and for what others provoke. */
import t from 'tap'
import { DeliveryJob } from '../../../src/delivery/queue/delivery-job.ts'
import { DeliveryQueue } from '../../../src/delivery/queue/delivery-queue.ts'
import { provokedFrom } from '../../../src/delivery/queue/refusals.ts'
import { aDispatcher, anEndpoint, anEvent, answered, settle } from '../../support/delivery-fixtures.ts'

const catalogue = new Map([
  ['auth.denied', { category: 'auth', outcomes: ['denied'], when: 'x', provoked: 'submitted' }],
  ['login.failure', { category: 'auth', outcomes: ['failure'], when: 'x' }]
] as const)

const denied = (ip: string) => anEvent({ action: 'auth.denied', outcome: 'denied', ip })
const failure = (actor: string) => anEvent({ action: 'login.failure', outcome: 'failure', actor, ip: '192.0.2.1' })

function jobOf(event: ReturnType<typeof anEvent>, endpointId = 'a'): DeliveryJob {
  const job = new DeliveryJob(endpointId, event)
  job.source = provokedFrom(event, { catalogue })
  return job
}

t.test('A3: 30 failed logins among 9000 refusals of one address are all delivered', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, transport, audit } = fixture
  audit.catalogue = catalogue
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture, { id: 'wh_1', events: ['*'] })
  await dispatcher.start()
  transport.answer = null
  for (let n = 0; n < 9000; n += 1) {
    audit.record({ category: 'auth', action: 'auth.denied', outcome: 'denied', ip: '192.0.2.1' })
    if (n % 300 === 299) {
      audit.record({
        category: 'auth',
        action: 'login.failure',
        outcome: 'failure',
        actor: `user${n}`,
        ip: '192.0.2.1'
      })
    }
  }
  t.equal(dispatcher.queue().size, 1000)
  t.equal(dispatcher.queue().dropped, 8030, 'of one kind alone')
  transport.answer = () => answered(200)
  await settle()
  transport.finish(answered(200))
  await settle(50)
  const types = transport.sent.map(({ body }) => (JSON.parse(String(body)) as { type: string }).type)
  t.equal(types.filter((type) => type === 'login.failure').length, 30)
  t.equal(types.length, 1000)
})

t.test('A3: refusals alone take the whole queue, and give way beyond half of it', async (t) => {
  const queue = new DeliveryQueue({ maxQueue: 10, maxConcurrent: 2 })
  for (let n = 0; n < 20; n += 1) queue.admit(jobOf(denied('192.0.2.1')))
  t.equal(queue.size, 10)
  const displaced = Array.from({ length: 8 }, (_, n) => queue.admit(jobOf(failure(`user${n}`))))
  t.equal(displaced.filter((job) => job?.event.action === 'auth.denied').length, 5)
  t.equal(displaced.filter((job) => job?.event.action === 'login.failure').length, 3, 'then they drop their own kind')
  t.not(queue.admit(jobOf(denied('192.0.2.1'))), null, 'and a refusal finds no room')
  t.equal(queue.size, 10)
})

t.test('A3: of refusals the network that has most makes room for any other', async (t) => {
  const queue = new DeliveryQueue({ maxQueue: 10, maxConcurrent: 2 })
  for (let n = 0; n < 10; n += 1) queue.admit(jobOf(denied(`2001:db8:0:1::${n}`)))
  const displaced = Array.from({ length: 8 }, () => queue.admit(jobOf(denied('192.0.2.7'))))
  const admitted = displaced.filter((job) => job !== null && job.source !== '192.0.2.7')
  t.equal(admitted.length, 5, 'until both have as many')
  t.ok(admitted.every((job) => job?.source === '2001:db8:0:1::/64'))
})

t.test('A3: what waits for a retry gives way as well, what is in a slot does not', async (t) => {
  const queue = new DeliveryQueue({ maxQueue: 4, maxConcurrent: 4 })
  for (let n = 0; n < 4; n += 1) queue.admit(jobOf(denied('192.0.2.1')))
  const taken = [queue.next(0), queue.next(0), queue.next(0), queue.next(0)].filter((job) => job !== undefined)
  for (const job of taken.slice(1)) queue.retryAt(job, 5000)
  const waiting = queue.size - queue.inFlight
  t.ok(waiting > 0 && queue.inFlight > 0)
  const displaced = Array.from({ length: 4 }, (_, n) => queue.admit(jobOf(failure(`user${n}`))))
  t.notOk(displaced.includes(taken[0] as DeliveryJob))
  queue.finish(taken[0] as DeliveryJob, 'quick')
  queue.clear()
  t.equal(queue.size, 0)
  for (let n = 0; n < 4; n += 1) t.equal(queue.admit(jobOf(denied('192.0.2.1'))), null, 'every place is free again')
})
