/** The state of a job as a badge, and the time that goes with it. */
import { href } from '../../app/location.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Time } from '../../parts/time.tsx'
import type { ListedJob } from './jobs-api.ts'

export const JOB_STATES = ['blocked', 'waiting', 'running', 'done', 'failed', 'parked', 'cancelled']

/** What has ended so, and needs somebody who looks at it. */
export const DEAD = ['failed', 'parked']

const TONES: Readonly<Record<string, Tone>> = { done: 'good', failed: 'bad', parked: 'warn' }

export function JobState({ state }: { readonly state: string }) {
  return <Badge tone={TONES[state] ?? 'plain'}>{state}</Badge>
}

/** Of a job that waits when it is due, of one that runs when it began, else when it ended. */
export function StateTime({ job: { state, dueAt, startedAt, endedAt } }: { readonly job: ListedJob }) {
  return <Time at={endedAt ?? (state === 'running' ? startedAt : null) ?? dueAt} />
}

export function JobLink({ id, children }: { readonly id: string; readonly children: string }) {
  return <a href={href(['jobs', 'job', id])}>{children}</a>
}
