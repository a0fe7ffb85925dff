/** graphile-worker: with its settings by default, and with the local queue and the batched completion of its guide on speed. */
import { Logger, makeWorkerUtils, run as runWorker } from 'graphile-worker'
import pg from 'pg'

const QUIET = new Logger(() => () => undefined)

export async function openSide({ url, fast = false }) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', () => undefined)
  const utils = await makeWorkerUtils({ pgPool: pool, logger: QUIET })
  await utils.migrate()
  return {
    add: async (value) => void (await utils.addJob('bench', { value })),
    addMany: async (values) =>
      void (await utils.addJobs(values.map((value) => ({ identifier: 'bench', payload: { value } })))),
    async work(concurrency, run) {
      const worker = {
        concurrentJobs: concurrency,
        ...(fast && { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 })
      }
      const runner = await runWorker({
        pgPool: pool,
        logger: QUIET,
        noHandleSignals: true,
        pollInterval: 500,
        preset: { worker },
        taskList: { bench: async ({ value }) => run(value) }
      })
      return () => runner.stop()
    },
    async close() {
      await utils.release()
      await pool.end()
    }
  }
}
