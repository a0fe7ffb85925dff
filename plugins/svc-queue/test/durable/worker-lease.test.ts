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
