/** What a package does again and again to its records, and how that is checked when it is declared. */
import { BootError, type Clock } from 'svc-kernel'

/** Work that is done at an interval. */
export interface MaintenanceTask {
  /** Small letters, digits and hyphens: `sessions`. svc-jobs runs it as the job `svc.maintenance.sessions`. */
  readonly name: string
  /** The brick whose records it changes. Absent: it is about this process, and each instance does it. */
  readonly store?: string
  /** Seconds from one run to the next. */
  readonly everyS: number
  readonly clock: Clock
  /** Code of the line in the log if a run on a timer fails. */
  readonly code?: string
  /** May run again after a failure. Once the signal is aborted, it ends soon. @returns how many records it changed */
  readonly work: (signal: AbortSignal) => Promise<number>
}

/** @param names of tasks that are declared @throws BootError (SVC_STORE_MAINTENANCE) */
export function checkTask({ name, everyS }: MaintenanceTask, names: ReadonlySet<string>): void {
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(name))
    throw problem(name, 'its name is not valid', 'up to 50 small letters, digits and hyphens, a letter first')
  if (!(Number.isInteger(everyS) && everyS >= 1 && everyS <= MOST_S))
    throw problem(name, `everyS is ${String(everyS)}`, `a whole number of seconds from 1 to ${MOST_S}`)
  if (names.has(name)) throw problem(name, 'another task has this name', 'one task of each name')
}

/** @throws BootError (SVC_STORE_MAINTENANCE) */
export function refuseLate({ name }: MaintenanceTask): never {
  throw problem(name, 'it is declared after the start', 'tasks that are declared while plugins register')
}

/** A year. */
const MOST_S = 31_536_000

function problem(name: string, message: string, expected: string): BootError {
  return new BootError([
    {
      code: 'SVC_STORE_MAINTENANCE',
      message: `the maintenance task "${name}": ${message}`,
      expected,
      more: 'npx svc docs maintenance-jobs'
    }
  ])
}
