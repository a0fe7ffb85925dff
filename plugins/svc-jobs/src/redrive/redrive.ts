/**
 * Makes jobs wait again that have failed or are parked, a page at a time: itself a job, whose pages are steps. It takes
 * none that ended after it was added, so that a job which fails again is not put back for ever.
 */
import type { JobOptions, RunningJob } from '../definitions/job-definition.ts'
import { JobEnding, JobKeyTaken, JobNotFound, JobState } from '../errors.ts'
import type { JobFilter } from '../records/job-store.ts'

/** Which jobs are put back. */
export interface RedriveFilter {
  readonly state: 'failed' | 'parked'
  /** Of jobs. Default: all. */
  readonly name?: string
  /** Epoch ms, as `endedBefore`. */
  readonly endedAfter?: number
  readonly endedBefore?: number
  /** A part of the reason, in any case. */
  readonly reason?: string
  /** How many are put back at most, 1 to 100,000: the newest. Default 100,000. */
  readonly limit?: number
}

/** The job that does it. */
export const REDRIVE = 'svc.redrive'

const MOST = 100_000
const PAGE = 200

const SKIPPED = [JobEnding, JobKeyTaken, JobNotFound, JobState]

const time = { type: 'integer', minimum: 0 } as const

export const redriveFilter = {
  type: 'object',
  additionalProperties: false,
  required: ['state'],
  properties: {
    state: { enum: ['failed', 'parked'] },
    name: { type: 'string', minLength: 1, maxLength: 100 },
    endedAfter: time,
    endedBefore: time,
    reason: { type: 'string', minLength: 1, maxLength: 200 },
    limit: { type: 'integer', minimum: 1, maximum: MOST }
  }
} as const

export const redriveOptions: JobOptions = { body: redriveFilter, timeoutS: 3_600 }

/** What is used of `fastify.jobs`. */
export interface RedrivenJobs {
  list(
    listing: JobFilter & { readonly limit: number; readonly before?: string }
  ): Promise<{ readonly items: readonly { readonly id: string }[]; readonly next: string | null }>
  retry(id: string): Promise<void>
}

/** What became of a page of jobs. */
interface RedrivenPage {
  readonly back: number
  /** Another job has their unique key by now, they were retried meanwhile, or a worker still holds them. */
  readonly skipped: number
  /** Id of the last one; `null`: no page follows. */
  readonly last: string | null
}

/** @returns an attempt */
export function redriveWork(jobs: RedrivenJobs) {
  return async ({ limit = MOST, ...filter }: RedriveFilter, job: RunningJob): Promise<void> => {
    const endedBefore = Math.min(filter.endedBefore ?? Number.POSITIVE_INFINITY, job.addedAt + 1)
    let back = 0
    let skipped = 0
    let last: string | null = null
    for (let number = 1; number === 1 || (last !== null && back < limit); number += 1) {
      const before: string | null = last
      const wanted = Math.min(PAGE, limit - back)
      const page: RedrivenPage = await job.step(`page ${number}`, () =>
        putBack(jobs, { ...filter, endedBefore }, wanted, before, job.signal)
      )
      back += page.back
      skipped += page.skipped
      last = page.last
      const isOver = last === null || back >= limit
      job.progress(isOver ? 1 : back / limit, `${back} put back, ${skipped} skipped`)
    }
    job.log.info({ back, skipped }, 'jobs were put back')
  }
}

async function putBack(
  jobs: RedrivenJobs,
  filter: JobFilter,
  limit: number,
  before: string | null,
  signal: AbortSignal
): Promise<RedrivenPage> {
  const { items, next } = await jobs.list({ ...filter, limit, ...(before !== null && { before }) })
  let back = 0
  for (const { id } of items) {
    signal.throwIfAborted()
    if (await isPutBack(jobs, id)) back += 1
  }
  return { back, skipped: items.length - back, last: next }
}

async function isPutBack(jobs: RedrivenJobs, id: string): Promise<boolean> {
  try {
    await jobs.retry(id)
    return true
  } catch (error) {
    if (SKIPPED.some((refusal) => error instanceof refusal)) return false
    throw error
  }
}
