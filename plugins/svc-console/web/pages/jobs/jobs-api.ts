/** The admin API of svc-jobs. */
import type { AddedJob, Counts, Job, JobList, LaneList, ScheduleList } from 'svc-jobs/wire'
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { Counts, Job }
export type ListedJob = JobList['items'][number]
export type Lane = LaneList['items'][number]
export type Schedule = ScheduleList['schedules'][number]

const API = '/svc/jobs/api'
const PAGE = 200

const at = (...path: readonly string[]) => [API, ...path.map(encodeURIComponent)].join('/')

/** Absent: jobs of the application. */
const systemParameter = (system: boolean) => (system ? 'true' : null)

/** @param states none: jobs in every state @param system those of maintenance tasks */
export async function readJobs(
  states: readonly string[],
  name: string | null,
  system: boolean,
  cursor: string | null
): Promise<ListPage<ListedJob>> {
  const query = new URLSearchParams(states.map((state) => ['state', state]))
  for (const [key, value] of Object.entries({
    name,
    system: systemParameter(system),
    limit: String(PAGE),
    before: cursor
  })) {
    if (value !== null) query.set(key, value)
  }
  const { items, next } = await call<JobList>('GET', `${at('jobs')}?${query}`)
  return { rows: items, next }
}

export const readCounts = (name: string | null, system: boolean) =>
  call<Counts>('GET', withQuery(at('counts'), { name, system: systemParameter(system) }))

export const readJob = (id: string) => call<Job>('GET', at('jobs', id))

export const retryJob = (id: string) => call<Job>('POST', at('jobs', id, 'retry'))

export const cancelJob = (id: string) => call<Job>('POST', at('jobs', id, 'cancel'))

/** Adds a job that retries those in this state which have ended by now. */
export const redrive = (state: string, name: string | null) =>
  call<AddedJob>('POST', at('redrive'), { state, ...(name !== null && { name }) })

export const readSchedules = async (system: boolean) =>
  (await call<ScheduleList>('GET', withQuery(at('schedules'), { system: systemParameter(system) }))).schedules

export const runSchedule = (name: string) => call<AddedJob>('POST', at('schedules', name, 'run'))

export const pauseSchedule = (name: string, paused: boolean) =>
  call<unknown>('POST', at('schedules', name, paused ? 'pause' : 'resume'))

/** By name. @param system with the one of maintenance tasks */
export async function readLanes(system: boolean, cursor: string | null): Promise<ListPage<Lane>> {
  const query = { limit: PAGE, after: cursor, system: systemParameter(system) }
  const { items, next } = await call<LaneList>('GET', withQuery(at('lanes'), query))
  return { rows: items, next }
}

export const pauseLane = (lane: string, paused: boolean) =>
  call<unknown>('POST', at('lanes', lane, paused ? 'pause' : 'resume'))
