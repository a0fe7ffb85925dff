/** Jobs as they are listed and counted: each question in the order of an index, whatever the number of jobs that have ended. */
import { above, after, all, atMost, below, containing, type Table, type Where } from 'svc-stores/table'
import { JOB_STATES, type JobRecord } from './job-record.ts'
import type { JobCounts, JobFilter, JobGroup, ListedJob } from './job-store.ts'

type Jobs = Pick<Table<JobRecord>, 'find' | 'count'>

const NEWEST = [{ field: 'id', direction: 'DESC' }] as const

/** The newest first. @param before id of the last job that was shown */
export async function listJobs(
  jobs: Jobs,
  { state, name, system, ...end }: JobFilter,
  limit: number,
  before?: string
): Promise<readonly ListedJob[]> {
  const later = before === undefined ? {} : after<JobRecord>(NEWEST, { id: before } as JobRecord)
  const older = all(later, endOf(end))
  const read = (where: Where<JobRecord>) => jobs.find(all(where, older), { order: NEWEST, limit, without: ['body'] })
  const group = groupOf({ name, system })
  const states = new Set(state === undefined ? JOB_STATES : [state].flat())
  const lists = await Promise.all([...states].map((each) => read({ ...group, state: each })))
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}

/** @param most so many of each state are counted @param now epoch ms */
export async function countJobs(jobs: Jobs, filter: JobGroup, most: number, now: number): Promise<JobCounts> {
  const count = async (where: Where<JobRecord>): Promise<number> => {
    const beyond = await jobs.find(where, { offset: most, limit: 1, without: ['body'] })
    return beyond.length > 0 ? most : jobs.count(where)
  }
  const group = groupOf(filter)
  const due = { ...group, state: 'waiting', dueAt: atMost(now) } as const
  const [states, [first]] = await Promise.all([
    // Each from its index: together they would read every job.
    Promise.all(JOB_STATES.map(async (state) => [state, await count({ ...group, state })])),
    jobs.find(due, { limit: 1, without: ['body'] })
  ])
  return { states: Object.fromEntries(states), most, waitingSince: first?.dueAt ?? null }
}

/** A name says by itself whether it is one of the system. */
function groupOf({ name, system = false }: { name?: string | undefined; system?: boolean | undefined }) {
  return name === undefined ? { system } : { name }
}

/** Jobs that have ended so. */
function endOf({ endedAfter, endedBefore, reason }: JobFilter): Where<JobRecord> {
  return all<JobRecord>(
    endedAfter === undefined ? {} : { endedAt: above(endedAfter) },
    endedBefore === undefined ? {} : { endedAt: below(endedBefore) },
    reason === undefined ? {} : { reason: containing(reason) }
  )
}
