/** Health of maintenance jobs, apart from that of the jobs of the application. */
import { Degraded } from 'svc-kernel'
import type { JobStore } from '../records/job-store.ts'
import type { Schedules } from '../schedules/schedules.ts'

export interface MaintenanceHealthParts {
  readonly store: Pick<JobStore, 'counts'>
  readonly schedules: Pick<Schedules, 'list'>
  readonly clock: { now(): number }
  /** A job that has been due for longer, in ms, is late. */
  readonly lateAfterMs: number
}

/** Rejects if the database cannot be reached. @throws Degraded while one is late, or the last one of a task failed */
export async function checkMaintenance({
  store,
  schedules,
  clock,
  lateAfterMs
}: MaintenanceHealthParts): Promise<void> {
  const [{ waitingSince }, listed] = await Promise.all([
    store.counts({ system: true }, 1),
    schedules.list({ system: true })
  ])
  const failed = listed.filter(({ declared, lastJob }) => declared && isDead(lastJob?.state)).map(({ name }) => name)
  if (failed.length > 0) throw new Degraded(`maintenance jobs have failed: ${failed.join(', ')}`)
  const lateMs = waitingSince === null ? 0 : clock.now() - waitingSince
  if (lateMs > lateAfterMs) throw new Degraded(`a maintenance job has been due for ${Math.floor(lateMs / 1000)} s`)
}

function isDead(state: string | undefined): boolean {
  return state === 'failed' || state === 'parked'
}
