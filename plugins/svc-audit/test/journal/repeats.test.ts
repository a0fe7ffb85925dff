/** Refusals without end: memory counts those of one address, and keeps what else happened whoever floods it. */
import type { AuditEvent, AuditRecord } from 'svc-kernel'
import t from 'tap'
import { KEPT_OF_A_RUN } from '../../src/journal/repeats.ts'
import { aJournal } from '../support/journal-parts.ts'

const denied = (ip: string | null): AuditRecord => ({
  category: 'auth',
  action: 'auth.denied',
  outcome: 'denied',
  resource: 'api',
  reason: 'no_proof',
  ip
})
const failure: AuditRecord = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' }

t.test('S10: 10200 refusals of one address are a few events with a count, and a login failure stays', async (t) => {
  const { journal, clock } = aJournal()
  const began = clock.now()
  journal.record(failure)
  for (let time = 0; time < 10_200; time += 1) {
    if (time % 100 === 0) clock.advance(1000)
    journal.record(denied('192.0.2.1'))
  }
  const all = journal.recent(Number.POSITIVE_INFINITY)
  t.equal(all.length, KEPT_OF_A_RUN + 1)
  t.match(all.at(-1), { action: 'login.failure', actor: 'alice' })
  t.match(all[0], { action: 'auth.denied', resource: 'api', reason: 'no_proof', ip: '192.0.2.1' })
  t.strictSame(all[0]?.metadata, { count: 10_200 - KEPT_OF_A_RUN + 1, lastAt: began + 102_000 })
  t.ok(Object.isFrozen(all[0]) && Object.isFrozen(all[0]?.metadata))
  t.strictSame(all[1]?.metadata, {}, 'the first are kept one by one')
})

t.test('S10: addresses and actions are counted apart, and a run ends after a quiet minute', async (t) => {
  const { journal, clock } = aJournal()
  const counts = () => journal.recent(1000).flatMap(({ metadata }) => metadata.count ?? [])
  for (let time = 0; time < 30; time += 1) {
    for (const ip of ['192.0.2.1', '192.0.2.2']) {
      journal.record(denied(ip))
      journal.record({ ...denied(ip), action: 'auth.failure', outcome: 'failure' })
    }
  }
  t.strictSame(counts(), [11, 11, 11, 11])
  clock.advance(59_999)
  journal.record(denied('192.0.2.1'))
  t.strictSame(counts().sort(), [11, 11, 11, 12])
  clock.advance(60_000)
  journal.record(denied('192.0.2.1'))
  t.strictSame([counts().length, journal.recent(1)[0]?.metadata], [4, {}])
})

t.test('S10: without an address nothing is counted, and a journal of refusals alone keeps 10000', async (t) => {
  const { journal } = aJournal()
  for (let time = 0; time < 10_100; time += 1) journal.record(denied(null))
  t.equal(journal.recent(Number.POSITIVE_INFINITY).length, 10_000)
})

t.test('S10: refusals of ever other addresses push out their own kind', async (t) => {
  const { journal } = aJournal()
  for (let time = 0; time < 4000; time += 1) journal.record({ ...failure, actor: `user${time}` })
  for (let n = 0; n < 30_000; n += 1) journal.record(denied(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`))
  const all = journal.recent(Number.POSITIVE_INFINITY)
  t.equal(all.length, 10_000)
  t.equal(all.filter(({ action }) => action === 'login.failure').length, 4000)
  t.equal(all[0]?.ip, '10.0.117.47', 'of refusals the newest')
})

t.test('S10: who listens is told of each', async (t) => {
  const { journal } = aJournal()
  const heard: AuditEvent[] = []
  journal.subscribe((event) => heard.push(event))
  for (let time = 0; time < 100; time += 1) journal.record({ ...denied('192.0.2.1'), requestId: `req-${time}` })
  t.strictSame(
    heard.map(({ requestId }) => requestId),
    Array.from({ length: 100 }, (_, time) => `req-${time}`)
  )
  t.equal(new Set(heard.map(({ id }) => id)).size, 100)
  t.equal(journal.recent(1000).length, KEPT_OF_A_RUN)
})

t.test('S10: an event that was pushed out is not counted on', async (t) => {
  const { journal } = aJournal()
  for (let time = 0; time < 25; time += 1) journal.record(denied('192.0.2.1'))
  for (let time = 0; time < 10_000; time += 1) journal.record(failure)
  for (let time = 0; time < 25; time += 1) journal.record(denied('192.0.2.1'))
  const refusals = journal.recent(Number.POSITIVE_INFINITY).filter(({ action }) => action === 'auth.denied')
  t.equal(refusals.length, KEPT_OF_A_RUN)
  t.equal(refusals[0]?.metadata.count, 6)
})

t.test('a repeated refusal is counted without a record, where nobody is to get one', async (t) => {
  const { journal, clock } = aJournal()
  const began = clock.now()
  const repeated = () => journal.countRepeated('auth.denied', '192.0.2.1')
  for (let time = 0; time < KEPT_OF_A_RUN; time += 1) {
    t.notOk(repeated(), 'the first are recorded one by one')
    journal.record(denied('192.0.2.1'))
  }
  t.notOk(journal.countRepeated('auth.denied', '192.0.2.2'), 'another address')
  t.notOk(journal.countRepeated('login.failure', '192.0.2.1'), 'an action that never repeats')
  clock.advance(5)
  t.ok(repeated() && repeated())
  t.strictSame(journal.recent(1)[0]?.metadata, { count: 3, lastAt: began + 5 })
  const unsubscribe = journal.subscribe(() => undefined)
  t.notOk(repeated(), 'somebody listens')
  unsubscribe()
  t.ok(repeated())
  clock.advance(60_000)
  t.notOk(repeated(), 'its address was quiet')
})

t.test('a refusal that was counted and pushed out is recorded anew', async (t) => {
  const { journal } = aJournal()
  for (let time = 0; time < KEPT_OF_A_RUN; time += 1) journal.record(denied('192.0.2.1'))
  t.ok(journal.countRepeated('auth.denied', '192.0.2.1'))
  for (let time = 0; time < 10_000; time += 1) journal.record(denied(null))
  t.notOk(journal.countRepeated('auth.denied', '192.0.2.1'))
  journal.record(denied('192.0.2.1'))
  t.match(journal.recent(1)[0], { ip: '192.0.2.1', metadata: {} })
})
