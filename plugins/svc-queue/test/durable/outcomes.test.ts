/** Outcomes on their way into the queue: many in one write, none forgotten if a write fails. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Outcomes } from '../../src/durable/outcomes.ts'
import type { OutcomeBatch } from '../../src/queue.ts'
import { settle } from '../support/jobs.ts'

function watched() {
  const clock = new ManualClock()
  const [asked, written, failed, doubted]: [OutcomeBatch[], OutcomeBatch[], unknown[], Promise<unknown>[]] = [
    [],
    [],
    [],
    []
  ]
  const names: string[] = []
  const state: { away: boolean; held: Promise<void> | null } = { away: false, held: null }
  const lease = { worker: 'a', doubt: (over: Promise<unknown>) => void doubted.push(over) }
  const outcomes = new Outcomes({
    clock,
    lease,
    queue: {
      settle: async (worker, batch) => {
        names.push(worker)
        asked.push(batch)
        await state.held
        if (state.away) throw new Error('the database is away')
      }
    },
    owner: {
      settled: (batch) => void written.push(batch),
      failed: (_, error) => void failed.push(error)
    }
  })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { clock, lease, outcomes, asked, names, written, failed, doubted, state, pass }
}

const RETRY = { id: 'msg_2', attempts: 1, delayMs: 5000 }

t.test('outcomes of one moment are one write', async (t) => {
  const { clock, outcomes, written, pass } = watched()
  outcomes.ended('msg_1')
  outcomes.retried(RETRY)
  outcomes.released('msg_3')
  await pass(9)
  t.strictSame(written, [])
  await pass(1)
  t.strictSame(written, [{ ended: ['msg_1'], retried: [RETRY], released: ['msg_3'] }])
  t.equal(clock.pending, 0)
})

t.test('a hundred do not wait for more', async (t) => {
  const { outcomes, written, pass } = watched()
  for (let index = 0; index < 100; index += 1) outcomes.ended(`msg_${index}`)
  await settle()
  t.equal(written[0]?.ended.length, 100)
  outcomes.ended('msg_100')
  await pass(10)
  t.strictSame(written[1]?.ended, ['msg_100'])
})

t.test('what could not be written is written later, before what came since, once', async (t) => {
  const { outcomes, asked, written, failed, state, pass } = watched()
  state.away = true
  outcomes.ended('msg_1')
  outcomes.retried(RETRY)
  outcomes.released('msg_3')
  await pass(10)
  t.equal(failed.length, 1)
  outcomes.ended('msg_4')
  outcomes.released('msg_5')
  await pass(999)
  t.equal(asked.length, 1, 'not before a second is over')
  state.away = false
  await pass(1)
  t.strictSame(written, [{ ended: ['msg_1', 'msg_4'], retried: [RETRY], released: ['msg_3', 'msg_5'] }])
  await pass(10_000)
  t.equal(asked.length, 2)
})

t.test('outcomes are written under the name by which their jobs were held', async (t) => {
  const { lease, outcomes, asked, names, state, doubted, pass } = watched()
  state.away = true
  outcomes.retried(RETRY)
  await pass(10)
  t.equal(doubted.length, 1, 'the name of a write that may have taken place is given up')
  lease.worker = 'b'
  outcomes.released('msg_4')
  let isOver = false
  void doubted[0]?.then(() => (isOver = true))
  await pass(1000)
  t.strictSame([names, doubted.length, isOver], [['a', 'a'], 1, false], 'once')
  state.away = false
  await pass(1000)
  t.strictSame(names, ['a', 'a', 'a', 'b'])
  t.match(asked.slice(2), [{ retried: [RETRY] }, { released: ['msg_4'] }])
  t.equal(isOver, true, 'and left once that is written')
})

t.test('a flush writes at once, says that it could not, and keeps what it had', async (t) => {
  const { clock, outcomes, written, state } = watched()
  await outcomes.flush()
  outcomes.ended('msg_1')
  state.away = true
  await t.rejects(outcomes.flush(), { message: 'the database is away' })
  state.away = false
  await outcomes.flush()
  t.strictSame(written, [{ ended: ['msg_1'], retried: [], released: [] }])
  t.equal(clock.pending, 0)
})

t.test('where a write takes long, the next waits for more', async (t) => {
  const { clock, outcomes, asked, written, state, pass } = watched()
  let release = () => {}
  state.held = new Promise((resolve) => (release = resolve))
  outcomes.ended('msg_1')
  await pass(10)
  t.equal(asked.length, 1)
  clock.advance(8)
  release()
  await settle()
  outcomes.ended('msg_2')
  await pass(31)
  t.equal(asked.length, 1)
  await pass(1)
  t.strictSame(written[1]?.ended, ['msg_2'])
  outcomes.ended('msg_3')
  await pass(10)
  t.equal(asked.length, 3, 'and no longer than needed once it is quick again')
})
