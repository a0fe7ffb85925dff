/** Jobs and schedules as text for a terminal. Pure. Times are UTC. */
import type { ListedJob, ListedLane, ListedSchedule } from '../application/jobs-view.ts'
import { textTable } from '../output.ts'

/** How much of a reason a line of a list shows, in characters. */
const REASON = 60
/** Slots that a list shows of each schedule. */
const SLOTS = 3

export function jobsText(jobs: readonly ListedJob[]): string {
  const rows = jobs.map(({ id, name, state, attempts, dueAt, endedAt, reason }) => [
    id,
    name,
    state,
    String(attempts),
    time(endedAt ?? dueAt),
    shortened(reason)
  ])
  return textTable(['ID', 'NAME', 'STATE', 'ATTEMPTS', 'DUE OR ENDED', 'REASON'], rows)
}

export function jobText({ body, cause, ...job }: ListedJob & { readonly body: unknown }): string {
  const lines = [
    ['id', job.id],
    ['name', job.name],
    ['lane', job.lane],
    ['state', job.state],
    ['attempts', String(job.attempts)],
    ['interruptions', String(job.interruptions)],
    ['reason', job.reason ?? '-'],
    ['progress', progressText(job.progress)],
    ['added', time(job.addedAt)],
    ['due', time(job.dueAt)],
    ['started', time(job.startedAt)],
    ['ended', time(job.endedAt)],
    ['caused by', cause === null ? 'the application' : (cause.user ?? 'anonymous')],
    ['request', cause?.requestId ?? '-'],
    ['body', JSON.stringify(body)]
  ]
  return textTable(lines[0] as string[], lines.slice(1))
}

export function schedulesText(schedules: readonly ListedSchedule[]): string {
  const rows = schedules.map((schedule) => [
    schedule.name,
    schedule.cron,
    schedule.zone,
    stateOf(schedule),
    schedule.job ?? '-',
    schedule.lastJob === null ? '-' : `${time(schedule.lastSlot)} ${schedule.lastJob.state}`,
    schedule.next.slice(0, SLOTS).map(time).join(', ') || '-'
  ])
  return textTable(['SCHEDULE', 'CRON', 'ZONE', 'STATE', 'JOB', 'LAST SLOT', 'NEXT SLOTS'], rows)
}

export function lanesText(lanes: readonly ListedLane[]): string {
  const rows = lanes.map(({ lane, paused, waiting, running, oldestMs, concurrent, rate }) => [
    lane,
    paused ? 'paused' : 'active',
    String(waiting),
    String(running),
    oldestMs === null ? '-' : `${Math.floor(oldestMs / 1000)} s`,
    concurrent === null ? '-' : String(concurrent),
    rate === null ? '-' : `${rate.max} in ${rate.perS} s`
  ])
  return textTable(['LANE', 'STATE', 'WAITING', 'RUNNING', 'OLDEST', 'AT ONCE', 'RATE'], rows)
}

function progressText(progress: ListedJob['progress']): string {
  if (progress === null) return '-'
  const { value, text } = progress
  return `${Math.floor(value * 100)} %${text === null ? '' : `, ${text}`}`
}

function stateOf({ declared, paused }: ListedSchedule): string {
  if (!declared) return 'not declared'
  return paused ? 'paused' : 'active'
}

function time(at: number | null): string {
  return at === null ? '-' : new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

function shortened(reason: string | null): string {
  const text = reason ?? '-'
  return text.length > REASON ? `${text.slice(0, REASON - 3)}...` : text
}
