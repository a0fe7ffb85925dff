/** The lease of a worker: jobs that it got under a name that it has given up are with others. */
import t from 'tap'
import { WorkerLease } from '../../src/durable/worker-lease.ts'

function aLease() {
  let lost = 0
  const queue = { heartbeat: async () => true, leave: async () => undefined }
  const lease = new WorkerLease(queue, {
    leaseLost: () => {
      lost += 1
    },
    failed: () => undefined
  })
  return { lease, lost: () => lost }
}

t.test('it holds what it was given under its name', async (t) => {
  const { lease } = aLease()
  await lease.keep(1000)
  const names: string[] = []
  const held = await lease.holding(async (worker) => {
    names.push(worker)
    return ['msg_1']
  })
  t.strictSame([held, names], [['msg_1'], [lease.worker]])
})

t.test('it holds nothing of what comes back after it took another name', async (t) => {
  const { lease, lost } = aLease()
  await lease.keep(1000)
  const held = await lease.holding(async () => {
    lease.doubt(Promise.resolve())
    return ['msg_1']
  })
  t.strictSame([held, lost(), lease.alive], [[], 1, false])
})

/** A lease over a queue that answers as it is told, and notes what it is asked. */
function watchedLease() {
  const asked: [operation: string, worker: string][] = []
  const state = { alive: true, away: false }
  const told: string[] = []
  const answer = async (operation: string, worker: string) => {
    asked.push([operation, worker])
    if (state.away) throw new Error('away')
  }
  const queue = {
    heartbeat: async (worker: string) => {
      await answer('heartbeat', worker)
      return state.alive
    },
    leave: (worker: string) => answer('leave', worker)
  }
  const lease = new WorkerLease(queue, {
    leaseLost: () => told.push('lost'),
    failed: (operation, error) => told.push(`${operation}: ${(error as Error).message}`)
  })
  return { lease, asked, state, told }
}

t.test('a heartbeat every five seconds, however often it is called', async (t) => {
  const { lease, asked } = watchedLease()
  t.equal(lease.alive, false)
  for (let second = 0; second < 11; second += 1) await lease.keep(1000)
  t.strictSame(asked, Array(3).fill(['heartbeat', lease.worker]))
  t.equal(lease.alive, true)
})

t.test('one that expired takes another name, and says that what it held is lost', async (t) => {
  const { lease, asked, state, told } = watchedLease()
  await lease.keep(5000)
  const former = lease.worker
  state.alive = false
  await lease.keep(5000)
  t.strictSame([told, lease.alive], [['lost'], false])
  t.not(lease.worker, former)
  t.strictSame(asked.slice(1), [
    ['heartbeat', former],
    ['heartbeat', lease.worker]
  ])
  state.alive = true
  await lease.keep(5000)
  t.equal(lease.alive, true)
})

t.test('a queue that is away keeps the lease as it was; the next heartbeat is sent in its turn', async (t) => {
  const { lease, asked, state, told } = watchedLease()
  await lease.keep(1000)
  state.away = true
  for (let second = 0; second < 5; second += 1) await lease.keep(1000)
  t.strictSame([told, lease.alive, asked.length], [['heartbeat: away'], true, 2])
})

t.test('a name in doubt is left as soon as its claim is over, and once', async (t) => {
  const { lease, asked, state } = watchedLease()
  await lease.keep(5000)
  const former = lease.worker
  let over = () => {}
  lease.doubt(new Promise<void>((_, reject) => (over = () => reject(new Error('late')))))
  await lease.keep(5000)
  t.strictSame(asked.slice(1), [['heartbeat', lease.worker]], 'the claim may still bring jobs under it')
  over()
  await new Promise(setImmediate)
  state.away = true
  await t.rejects(lease.leave(), { message: 'away' })
  state.away = false
  asked.length = 0
  await lease.leave()
  t.strictSame(asked, [
    ['leave', former],
    ['leave', lease.worker]
  ])
  await lease.keep(5000)
  t.equal(asked.filter(([operation]) => operation === 'leave').length, 2)
})
