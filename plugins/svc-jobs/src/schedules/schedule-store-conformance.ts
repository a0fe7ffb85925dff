/** The suite of the `schedules` brick: what the store of schedules promises, on every engine. */
import assert from 'node:assert/strict'
import {
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  runCases
} from 'svc-stores/conformance'
import type { NewRecord } from '../records/job-store.ts'
import { freshRecord, type ScheduleRecord } from './schedule-record.ts'
import { slotId } from './slot-id.ts'
import type { ScheduleStore, StoredMove } from './table-schedules.ts'

const SLOT = Date.UTC(2026, 0, 1, 3)

const aSchedule = (name = 'report'): ScheduleRecord => freshRecord(name, '0 3 * * *', 'Europe/Berlin', SLOT - 1000)

const aJob = (id: string, uniqueKey: string | null = null): NewRecord => {
  return {
    id,
    name: 'report',
    lane: 'report',
    body: { of: 'day' },
    uniqueKey,
    traceparent: null,
    cause: null,
    delayMs: 0
  }
}

/** The slot gets its job. */
const moveTo = (slot: number, changes: Partial<StoredMove> = {}): StoredMove => {
  return {
    change: { decidedUntil: slot, lastSlot: slot },
    cancels: false,
    job: aJob(slotId('report', slot)),
    ...changes
  }
}

const ID = slotId('report', SLOT)

const operations: Operations<ScheduleStore> = {
  jobs: (store) => store.jobs.queue.counts(),
  list: (store) => store.list(),
  declare: (store) => store.declare(aSchedule()),
  change: (store) => store.change('report', 0, { question: 'missed' }),
  pause: (store) => store.pause('report', true),
  move: (store) => store.move('report', () => moveTo(SLOT))
}

const queued = async (store: ScheduleStore) => {
  await store.jobs.queue.heartbeat('worker')
  return (await store.jobs.queue.claim('worker', 100, () => 100)).map(({ id }) => id).sort()
}

const found = async (store: ScheduleStore, name = 'report') => {
  return (await store.list()).find((record) => record.name === name)
}

const cases: readonly ConformanceCase<ScheduleStore>[] = [
  [
    'a schedule is stored whole, once, and schedules are listed by name',
    async ({ store }) => {
      const given = {
        ...aSchedule(),
        former: ['UTC 0 3 * * *'],
        waiting: [SLOT, SLOT + 1],
        lastSlot: SLOT,
        paused: true
      }
      assert.deepEqual(await store.declare(given), given)
      const declared = await atOnce(10, () => store.declare({ ...aSchedule(), cron: '@daily' }))
      for (const record of declared) assert.deepEqual(record, given)
      await store.declare(aSchedule('backup'))
      assert.deepEqual(await store.list(), [aSchedule('backup'), given])
    }
  ],
  [
    'of changes at once of one revision, one is stored',
    async ({ store }) => {
      await store.declare(aSchedule())
      const changed = await atOnce(20, (index) => store.change('report', 0, { question: `of ${index}` }))
      const [winner, ...others] = changed.filter((record) => record !== null)
      assert.deepEqual(others, [])
      assert.equal(winner?.revision, 1)
      assert.deepEqual(await found(store), winner)
      assert.equal(await store.change('other', 0, { question: null }), null)
    }
  ],
  [
    'a pause is stored whatever the revision is',
    async ({ store }) => {
      await store.declare(aSchedule())
      assert.equal(await store.pause('other', true), null)
      assert.deepEqual(await store.pause('report', true), { ...aSchedule(), paused: true, revision: 1 })
      assert.equal((await store.pause('report', false))?.paused, false)
    }
  ],
  [
    'a slot moves its schedule and stores its job, which waits in the queue',
    async ({ store }) => {
      await store.declare(aSchedule())
      const moved = await store.move('report', (record, isOpen) => {
        assert.deepEqual([record, isOpen], [aSchedule(), false])
        return moveTo(SLOT)
      })
      const after = { ...aSchedule(), decidedUntil: SLOT, lastSlot: SLOT, lastJob: ID, revision: 1 }
      assert.deepEqual([moved?.record, moved?.job?.id, moved?.cancelled], [after, ID, null])
      assert.deepEqual(await found(store), after)
      assert.equal((await store.jobs.load([ID]))[0]?.state, 'waiting')
      assert.deepEqual(await queued(store), [ID])
    }
  ],
  [
    'of fifty instances that see one slot, one makes its job',
    async ({ store }) => {
      await store.declare(aSchedule())
      const moved = await atOnce(50, () =>
        store.move('report', ({ decidedUntil }) => (decidedUntil < SLOT ? moveTo(SLOT) : null))
      )
      assert.equal(moved.filter((one) => one !== null).length, 1)
      assert.equal((await found(store))?.revision, 1)
      assert.deepEqual(await queued(store), [ID])
    }
  ],
  [
    'nothing is stored without a schedule, without a move, and by a move that fails',
    async ({ store }) => {
      assert.equal(await store.move('report', () => moveTo(SLOT)), null)
      await store.declare(aSchedule())
      assert.equal(await store.move('report', () => null), null)
      const failing = store.move('report', () => {
        throw new RangeError('no')
      })
      await assert.rejects(failing, RangeError)
      assert.deepEqual(await found(store), aSchedule())
      assert.deepEqual(await queued(store), [])
    }
  ],
  [
    'the last job is open until it has ended',
    async ({ store }) => {
      await store.declare(aSchedule())
      const seen: boolean[] = []
      const look = () =>
        store.move('report', (_, isOpen) => {
          seen.push(isOpen)
          return null
        })
      await store.move('report', () => moveTo(SLOT))
      await look()
      await store.jobs.begin([ID])
      await look()
      await store.jobs.end([ID], { state: 'failed', attempts: 1, reason: 'no' })
      await look()
      assert.deepEqual(seen, [true, true, false])
    }
  ],
  [
    'a move cancels the last job, and takes its place',
    async ({ store }) => {
      await store.declare(aSchedule())
      await store.move('report', () => moveTo(SLOT))
      const moved = await store.move('report', () => moveTo(SLOT + 1000, { cancels: true }))
      assert.equal(moved?.cancelled, ID)
      const next = slotId('report', SLOT + 1000)
      const states = (await store.jobs.load([ID, next])).map(({ state }) => state)
      assert.deepEqual([states.sort(), moved?.record.lastJob], [['cancelled', 'waiting'], next])
    }
  ],
  [
    'a move without a job changes the schedule alone',
    async ({ store }) => {
      await store.declare(aSchedule())
      await store.move('report', () => moveTo(SLOT))
      const skipped = SLOT + 1000
      const change = { decidedUntil: skipped, lastSkipped: skipped, waiting: [skipped] }
      const moved = await store.move('report', () => ({ change, cancels: false, job: null }))
      assert.deepEqual(
        [moved?.job, moved?.record.lastJob, moved?.record.lastSkipped, moved?.record.waiting],
        [null, ID, skipped, [skipped]]
      )
      assert.deepEqual(await queued(store), [ID])
    }
  ],
  [
    'a job with the same unique key that has not ended is the job of the slot',
    async ({ store }) => {
      await store.declare(aSchedule())
      const other = slotId('other', SLOT)
      await store.jobs.add([aJob(other, 'one')])
      const moved = await store.move('report', () => moveTo(SLOT, { job: aJob(ID, 'one') }))
      assert.deepEqual([moved?.job?.id, moved?.record.lastJob], [other, other])
      assert.equal((await found(store))?.lastJob, other)
      assert.deepEqual(await queued(store), [other])
    }
  ],
  [
    'a slot that has its job keeps it',
    async ({ store }) => {
      await store.declare(aSchedule())
      await store.move('report', () => moveTo(SLOT))
      await store.jobs.end([ID], { state: 'done', attempts: 1, reason: null })
      const moved = await store.move('report', () => moveTo(SLOT))
      assert.equal(moved?.job?.state, 'done')
      assert.deepEqual(await queued(store), [ID])
    }
  ]
]

/** Proves a store of schedules. @param runner tap's `t`, or any runner with `test(name, body)` */
export function scheduleStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<ScheduleStore>
): Promise<void> {
  return runCases(runner, cases, subject, operations)
}
