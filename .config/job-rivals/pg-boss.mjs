/** pg-boss as its guide sets it up for speed: LISTEN and NOTIFY, batches of fifty, bursts while they are full. */
import { PgBoss } from 'pg-boss'

const QUEUE = 'bench'

export async function openSide({ url }) {
  const boss = new PgBoss({ connectionString: url, max: 10, useListenNotify: true, supervise: false, schedule: false })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue(QUEUE, { notify: true })
  return {
    add: async (value) => void (await boss.send(QUEUE, { value })),
    addMany: async (values) =>
      void (await boss.insert(
        QUEUE,
        values.map((value) => ({ data: { value } }))
      )),
    async work(concurrency, run) {
      const batchSize = 50
      const options = {
        batchSize,
        pollingIntervalSeconds: 0.5,
        burstWhenBatchFull: true,
        localConcurrency: Math.ceil(concurrency / batchSize)
      }
      await boss.work(QUEUE, options, async (jobs) => {
        for (const { data } of jobs) run(data.value)
      })
      return () => boss.offWork(QUEUE)
    },
    close: () => boss.stop({ graceful: false })
  }
}
