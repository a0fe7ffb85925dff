/** Claims of a worker: one at a time, while there is room, and again when there may be more. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Claims } from '../../src/durable/claims.ts'
import type { HeldJob } from '../../src/queue.ts'
import { settle, TEXTS } from '../support/jobs.ts'

const job: HeldJob = { id: 'msg_1', lane: 'a', payload: '1', attempts: 0 }

function watched() {
  const clock = new ManualClock()
  const lease = { alive: true, worker: 'w', doubt: (claim: Promise<unknown>) => void doubted.push(claim) }
  const room = new Map<string, number>()
  const capacity = { free: 250, claimable: (lane: string) => room.get(lane) ?? 1 }
  const [asked, claimed, failed, doubted]: [number[], HeldJob[][], unknown[], unknown[]] = [[], [], [], []]
  const state: { found: readonly HeldJob[]; visits: string[]; held: Promise<void> | null; error: Error | null } = {
    found: [],
    visits: [],
    held: null,
    error: null
  }
  const claims = new Claims({
    clock,
    lease,
    capacity,
    texts: TEXTS,
    limits: {},
    queue: {
      claim: async (worker, limit, roomOf) => {
        t.equal(worker, 'w')
        asked.push(limit)
        for (const lane of state.visits) roomOf(lane)
        await state.held
        if (state.error !== null) throw state.error
        return state.found
      }
    },
    owner: { claimed: (found) => void claimed.push([...found]), failed: (_, error) => void failed.push(error) }
  })
  return { clock, lease, capacity, room, state, claims, asked, claimed, failed, doubted }
}

t.test('it takes no more than there is room for, a hundred at most, and nothing without room', async (t) => {
  const { claims, capacity, asked, claimed } = watched()
  await claims.take()
  capacity.free = 3
  await claims.take()
  capacity.free = 0
  claims.expectMore()
  await claims.take()
  t.strictSame(asked, [100, 3])
  t.strictSame(claimed, [[], []])
})

t.test('who learns of a claim may claim again at once', async (t) => {
  const { claims, asked, claimed } = watched()
  const push = claimed.push.bind(claimed)
  let again: Promise<void> | null = null
  claimed.push = (found) => {
    again ??= claims.takeMore()
    return push(found)
  }
  await claims.take()
  await again
  t.strictSame(asked, [100, 100])
})

t.test('what was handed out under a lease that ended meanwhile is not run', async (t) => {
  const { claims, lease, state, claimed } = watched()
  let answer = () => {}
  state.held = new Promise((resolve) => (answer = resolve))
  state.found = [job]
  const taken = claims.take()
  lease.worker = 'another'
  answer()
  await taken
  lease.worker = 'w'
  state.held = null
  await claims.take()
  t.strictSame(claimed, [[], [job]])
})

t.test('one claim at a time; who asks meanwhile waits for it', async (t) => {
  const { claims, state, asked } = watched()
  let answer = () => {}
  state.held = new Promise((resolve) => (answer = resolve))
  const [first, second] = [claims.take(), claims.take()]
  let isOver = false
  const over = claims.over().then(() => (isOver = true))
  await settle()
  t.strictSame([asked.length, isOver], [1, false])
  answer()
  await Promise.all([first, second, over])
  t.equal(asked.length, 1)
  await claims.take()
  t.equal(asked.length, 2)
})

t.test('there may be more after a claim that found something, and not after one that did not', async (t) => {
  const { claims, state, claimed } = watched()
  t.equal(claims.isMore, false)
  state.found = [job]
  await claims.take()
  t.strictSame([claims.isMore, claimed], [true, [[job]]])
  state.found = []
  await claims.take()
  t.equal(claims.isMore, false)
  claims.expectMore()
  t.equal(claims.isMore, true)
})

t.test('a lane without room is asked for again once a job of it has left', async (t) => {
  const { claims, room, state } = watched()
  room.set('full', 0)
  room.set('over', -1)
  state.visits = ['full', 'free', 'over']
  await claims.take()
  claims.left('free')
  claims.left('unknown')
  t.equal(claims.isMore, false)
  claims.left('full')
  t.equal(claims.isMore, true)
  state.visits = []
  await claims.take()
  claims.left('full')
  t.equal(claims.isMore, false, 'once')
  claims.left('over')
  t.equal(claims.isMore, true)
})

t.test('a claim that fails, or does not answer, puts what the worker holds in doubt', async (t) => {
  const { clock, claims, state, claimed, failed, doubted } = watched()
  state.error = new Error('away')
  await claims.take()
  t.match(failed, [{ message: 'away' }])
  t.strictSame([claimed, doubted.length, claims.isMore], [[[]], 1, false])
  state.error = null
  state.held = new Promise(() => undefined)
  const taking = claims.take()
  await settle()
  clock.advance(10_000)
  await taking
  t.match(failed[1], { message: 'no answer within 10000 ms' })
  t.equal(doubted.length, 2)
})

t.test('without a lease, and after the stop, nothing is claimed', async (t) => {
  const { claims, lease, asked } = watched()
  lease.alive = false
  await claims.takeMore()
  t.strictSame([asked, claims.isMore], [[], true])
  lease.alive = true
  claims.stop()
  await claims.takeMore()
  t.strictSame(asked, [])
})
