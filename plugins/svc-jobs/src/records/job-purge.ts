/**
 * Removes jobs that have ended, with the results of their steps. Jobs of a batch stay until the batch is over for as long:
 * one of them that is retried may still complete it.
 */
import { setImmediate } from 'node:timers/promises'
import { all, any, atMost, isNull, oneOf, type Table, type Where } from 'svc-stores/table'
import type { BatchRecord } from './batch-record.ts'
import type { JobRecord } from './job-record.ts'
import type { TableBatches } from './table-batches.ts'
import type { TableSteps } from './table-steps.ts'

export interface PurgedTables {
  readonly jobs: Table<JobRecord>
  readonly batches: TableBatches
  readonly steps: TableSteps
  /** Ends a job whose turn never comes. */
  readonly cancel: (id: string, reason: string) => Promise<unknown>
}

/** Runs work in one transaction. */
export type Together = <T>(work: (tables: PurgedTables) => Promise<T>) => Promise<T>

/** Jobs that one transaction removes: on SQLite, how long the process does nothing else. */
const AT_ONCE = 200

export interface PurgeBounds {
  /** They have ended before it, epoch ms. */
  readonly before: number
  /** Epoch ms. */
  readonly now: number
  /** Aborted, the purge ends after the transaction that runs. */
  readonly signal: AbortSignal | undefined
}

/** @returns how many jobs */
export async function purgeJobs({ before, now, signal }: PurgeBounds, together: Together): Promise<number> {
  while (!signal?.aborted) {
    const over = await together(({ batches }) => batches.over(before))
    if (over.length === 0) break
    for (const batch of over) await removeBatch(batch, together)
  }
  const keyless = any<JobRecord>({ uniqueUntil: isNull }, { uniqueUntil: atMost(now) })
  const where = all<JobRecord>({ endedAt: atMost(before), followed: isNull }, keyless)
  for (let total = 0; ; await setImmediate()) {
    const removed = await together((tables) => removeJobs(where, tables))
    total += removed
    if (removed < AT_ONCE || signal?.aborted) return total
  }
}

async function removeBatch(batch: BatchRecord, together: Together): Promise<void> {
  while (!(await together(({ batches, cancel }) => batches.remove(batch, cancel)))) await setImmediate()
}

async function removeJobs(where: Where<JobRecord>, { jobs, steps }: PurgedTables): Promise<number> {
  const order = [{ field: 'endedAt', direction: 'ASC' }] as const
  const found = await jobs.find(where, { order, limit: AT_ONCE, without: ['body'] })
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return 0
  await steps.remove(ids)
  return jobs.delete(all({ id: oneOf(ids) }, where))
}
