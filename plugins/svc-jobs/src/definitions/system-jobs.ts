/** What tells the jobs of maintenance tasks from those of the application: their names, and the lane that they share. */

/** One of its jobs runs at a time, in all instances together, so that they never hold up those of the application. */
export const MAINTENANCE_LANE = 'svc.maintenance'

const BEGINNING = `${MAINTENANCE_LANE}.`

/** The name of the job of a task, and of its schedule. */
export function systemName(task: string): string {
  return `${BEGINNING}${task}`
}

export function isSystemName(name: string): boolean {
  return name.startsWith(BEGINNING)
}
