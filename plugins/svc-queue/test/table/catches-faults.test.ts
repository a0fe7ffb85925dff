/** A suite that no driver can fail proves nothing: each of these has one fault, and the suite finds it. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { queueConformance } from '../../src/conformance.ts'
import { type OutcomeBatch, QUEUE_OPERATIONS, type Queue } from '../../src/queue.ts'
import { lanesStore } from '../support/jobs.ts'
import { clocks, failedCases, type Spoil, spoilt } from '../support/spoilt-queue.ts'

const NOTHING: OutcomeBatch = { ended: [], retried: [], released: [] }

const FAULTS: readonly [fault: string, spoil: Spoil, found: RegExp][] = [
  [
    'hands out without holding',
    (queue) => ({
      claim: async (worker, limit, room) => {
        const found = await queue.claim(worker, limit, room)
        await queue.settle(worker, { ended: [], retried: [], released: found.map(({ id }) => id) })
        return found
      }
    }),
    /handed out whole, and once/
  ],
  [
    'forgets the attempts',
    (queue) => ({
      claim: async (...given) => (await queue.claim(...given)).map((job) => ({ ...job, attempts: 0 }))
    }),
    /knows its attempts/
  ],
  [
    'retries at once',
    (queue) => ({
      settle: (worker, { retried, ...rest }) =>
        queue.settle(worker, { ...rest, retried: retried.map((retry) => ({ ...retry, delayMs: 0 })) })
    }),
    /a retry waits for its time/
  ],
  [
    'fills a room twice',
    (queue) => ({ claim: (worker, limit, room) => queue.claim(worker, limit, (id) => 2 * room(id)) }),
    /no job is taken beyond the room/
  ],
  [
    'claims to hold what another worker holds',
    (queue) => ({
      admit: async (worker, jobs) => {
        await queue.admit(worker, jobs)
        return jobs.filter(({ held }) => held).map(({ id }) => id)
      }
    }),
    /holds it if the answer says so/
  ],
  [
    'forgets lapses',
    (queue) => ({
      claim: async (...given) => (await queue.claim(...given)).map((job) => ({ ...job, lapses: 0 }))
    }),
    /counts lapses/
  ],
  ['keeps what an expired worker held', () => ({ heartbeat: async () => true }), /an expired worker/],
  ['keeps what a worker left', () => ({ leave: async () => undefined }), /a worker that leaves/],
  ['discards nothing', () => ({ discard: async () => 0 }), /a discarded lane loses the jobs/],
  [
    'loses a retry',
    (queue) => ({
      settle: (worker, { ended, retried, released }) =>
        queue.settle(worker, { ended: [...ended, ...retried.map(({ id }) => id)], retried: [], released })
    }),
    /a retry waits for its time/
  ],
  [
    'gives back for a worker that has expired',
    (queue) => {
      const holders = new Map<string, string>()
      return {
        claim: async (worker, ...given) => {
          const found = await queue.claim(worker, ...given)
          for (const { id } of found) holders.set(id, worker)
          return found
        },
        settle: async (worker, { ended, ...late }) => {
          await queue.settle(worker, { ...NOTHING, ended })
          for (const holder of new Set(holders.values())) await queue.settle(holder, { ...NOTHING, ...late })
        }
      }
    },
    /its late retry changes nothing/
  ],
  [
    'ends nothing for a worker that has expired',
    (queue) => {
      const expired = new Set<string>()
      return {
        heartbeat: async (worker) => {
          const isAlive = await queue.heartbeat(worker)
          if (!isAlive) expired.add(worker)
          return isAlive
        },
        settle: async (worker, batch) => {
          if (!expired.has(worker)) await queue.settle(worker, batch)
        }
      }
    },
    /its late end does/
  ],
  [
    'keeps what is given back',
    (queue) => ({ settle: (worker, batch) => queue.settle(worker, { ...batch, released: [] }) }),
    /a job that is given back is there for others/
  ],
  [
    'keeps what has ended',
    (queue) => ({ settle: (worker, batch) => queue.settle(worker, { ...batch, ended: [] }) }),
    /a job that has ended is gone/
  ],
  [
    'spoils the payload',
    (queue) => ({
      claim: async (...given) =>
        (await queue.claim(...given)).map((job) => ({ ...job, payload: job.payload.replace('ü', 'u') }))
    }),
    /handed out whole, and once/
  ],
  [
    'admits what is there already as another job',
    (queue) => ({
      admit: (worker, jobs) =>
        queue.admit(
          worker,
          jobs.map((job) => ({ ...job, id: `${job.id}${Math.random()}` }))
        )
    }),
    /a job that is admitted twice is there once/
  ],
  [
    'holds at admission without saying so',
    (queue) => ({
      admit: async (worker, jobs) => {
        await queue.admit(worker, jobs)
        return []
      }
    }),
    /holds it if the answer says so/
  ],
  [
    'reschedules all at once',
    (queue) => ({ reschedule: (lane) => queue.reschedule(lane, 1000) }),
    /rescheduled jobs are due at once/
  ],
  ['reschedules nothing', () => ({ reschedule: async () => 0 }), /rescheduled jobs are due at once/],
  [
    'reschedules every lane',
    (queue) => ({
      reschedule: async (lane, limit) => {
        await queue.reschedule('wh_2', 1000)
        return queue.reschedule(lane, limit)
      }
    }),
    /held ones and other lanes are not/
  ],
  [
    'hands the newest out first',
    (queue) => ({ claim: async (...given) => [...(await queue.claim(...given))].reverse() }),
    /due at once, oldest first/
  ],
  [
    'serves one lane alone',
    (queue) => ({ claim: (worker, limit, room) => queue.claim(worker, limit, (id) => (id === 'wh_1' ? room(id) : 0)) }),
    /a long lane delays no other/
  ],
  [
    'starves lanes beyond the first hundred',
    (queue) => ({
      claim: (worker, limit, room) => queue.claim(worker, limit, (id) => (Number(id.slice(3)) >= 100 ? 0 : room(id)))
    }),
    /each of very many lanes gets its turn/
  ],
  [
    'lets a worker expire by the clock',
    (queue) => ({ heartbeat: onceByTheClock(queue) }),
    /keeps what it holds, whatever the clock says/
  ],
  [
    'discards what is held',
    (queue) => ({
      discard: async (lane) => {
        const { held } = await queue.pending(lane, 0)
        return (await queue.discard(lane)) + held
      }
    }),
    /loses the jobs that no worker holds/
  ],
  [
    'discards every lane',
    (queue) => ({ discard: async (lane) => (await queue.discard('wh_2')) * 0 + (await queue.discard(lane)) }),
    /other lanes keep theirs/
  ],
  [
    'lists jobs of all lanes',
    (queue) => ({
      pending: async (lane, limit) => {
        const [own, other] = [await queue.pending(lane, limit), await queue.pending('wh_2', limit)]
        return { ...own, waiting: own.waiting + other.waiting }
      }
    }),
    /the jobs that wait in a lane are counted and listed/
  ],
  [
    'lists more than was asked for',
    (queue) => ({ pending: (lane) => queue.pending(lane, 100) }),
    /the jobs that wait in a lane are counted and listed/
  ],
  [
    'lists jobs without their payload',
    (queue) => ({
      pending: async (...given) => {
        const { next, ...rest } = await queue.pending(...given)
        return { ...rest, next: next.map((job) => ({ ...job, payload: '' })) }
      }
    }),
    /the jobs that wait in a lane are counted and listed/
  ],
  [
    'lists a wrong time',
    (queue) => ({
      pending: async (...given) => {
        const { next, ...rest } = await queue.pending(...given)
        return { ...rest, next: next.map((job) => ({ ...job, dueAt: 1 })) }
      }
    }),
    /the jobs that wait in a lane are counted and listed/
  ],
  [
    'counts the age of the newest',
    (queue) => ({ counts: async () => ({ ...(await queue.counts()), oldestMs: 0 }) }),
    /the age of the oldest/
  ],
  [
    'counts the age in seconds',
    (queue) => ({
      counts: async () => {
        const { oldestMs, ...rest } = await queue.counts()
        return { ...rest, oldestMs: oldestMs === null ? null : oldestMs / 1000 }
      }
    }),
    /the age of the oldest/
  ],
  [
    'counts the age since 1970',
    (queue) => ({
      counts: async () => {
        const { oldestMs, ...rest } = await queue.counts()
        return { ...rest, oldestMs: oldestMs === null ? null : Date.now() }
      }
    }),
    /the age of the oldest/
  ],
  [
    'counts what is held as waiting',
    (queue) => ({
      counts: async () => {
        const { waiting, held, oldestMs } = await queue.counts()
        return { waiting: waiting + held, held: 0, oldestMs }
      }
    }),
    /counts the jobs that wait and that are held/
  ]
]

/** Expires a worker whose last heartbeat is an hour ago. */
function onceByTheClock(queue: Queue): Queue['heartbeat'] {
  const last = new Map<string, number>()
  return async (worker) => {
    const now = clocks.at(-1)?.now() ?? 0
    const before = last.get(worker) ?? now
    last.set(worker, now)
    return now - before < 3_600_000 && queue.heartbeat(worker)
  }
}

for (const [fault, spoil, found] of FAULTS) {
  t.test(fault, async (t) => {
    t.match(await failedCases(spoil), found)
  })
}

t.test('none of them is found in the queue itself', async (t) => {
  const runner = { test: (_: string, body: () => Promise<void>) => body() }
  await t.resolves(queueConformance(runner, { makeStore: spoilt(() => ({})), faults: null }))
})

/** A queue whose database is away until it recovers. @param answers of operations that answer all the same */
function unreachable(answers: Partial<Queue> = {}) {
  return async (parts: Parameters<typeof inMemory>[1]) => {
    const queue = inMemory(lanesStore, parts)
    let away = true
    const calls = QUEUE_OPERATIONS.map((name) => [
      name,
      async (...given: never[]) => {
        if (!away) return (queue[name] as (...all: never[]) => unknown)(...given)
        const answer = answers[name] as ((...all: never[]) => unknown) | undefined
        if (answer === undefined) throw Object.assign(new Error('away'), { statusCode: 503, code: 'AWAY' })
        return answer(...given)
      }
    ])
    const recover = async () => {
      away = false
    }
    return { store: Object.fromEntries(calls) as Queue, recover }
  }
}

t.test('a queue that cannot be reached refuses every operation; one that answers any is found', async (t) => {
  const suite = async (answers: Partial<Queue>) => {
    const failed: string[] = []
    const runner = {
      test: async (title: string, body: () => Promise<void>) => {
        await body().catch((error: Error) => failed.push(`${title}: ${error.message}`))
      }
    }
    const makeStore = spoilt(() => ({}))
    await queueConformance(runner, { makeStore, faults: { unreachable: unreachable(answers) } })
    return failed
  }
  t.strictSame(await suite({}), [])
  for (const name of QUEUE_OPERATIONS) {
    const failed = await suite({ [name]: async () => undefined })
    t.match(failed, [new RegExp(`refuses every operation.*: ${name} is refused with 503`)], name)
  }
})

t.test('a driver with a clock of its own lets time pass there', async (t) => {
  const passed: number[] = []
  const runner = { test: (_: string, body: () => Promise<void>) => body() }
  const elapse = async (ms: number) => {
    passed.push(ms)
    clocks.at(-1)?.advance(ms)
  }
  await t.resolves(queueConformance(runner, { makeStore: spoilt(() => ({})), faults: null, elapse }))
  t.ok(passed.length > 0)
})
