/** What tests of a queue need: jobs, a store of them, logged lines, and turns that let everything ready run. */
import type { FastifyBaseLogger } from 'fastify'
import { type Job, type QueueTexts, queueStore } from '../../src/index.ts'

export const jobsStore = queueStore({
  brick: 'jobs',
  jobs: { name: 'test_job', collection: 'test_job', record: 'job' },
  workers: { name: 'test_worker', collection: 'test_worker', record: 'worker' }
})

/** As `jobsStore`, with limits, priorities and pauses of lanes. */
export const lanesStore = queueStore({
  brick: 'jobs',
  jobs: { name: 'test_lane_job', collection: 'test_lane_job', record: 'job' },
  workers: { name: 'test_lane_worker', collection: 'test_lane_worker', record: 'worker' },
  lanes: { name: 'test_lane', collection: 'test_lane', record: 'lane' }
})

/** @param source who provoked it */
export function aJob(lane: string, id: string | null = null, source: string | null = null): Job {
  return { lane, manual: false, source, id, attempts: 0, begunAt: null }
}

export class Unavailable extends Error {
  readonly code = 'TEST_UNAVAILABLE'
}

export const TEXTS: QueueTexts = {
  code: 'TEST_QUEUE',
  failed: {
    admit: 'not admitted',
    claim: 'not claimed',
    heartbeat: 'no heartbeat',
    settle: 'not settled',
    reschedule: 'not rescheduled',
    discard: 'not discarded',
    counts: 'not counted',
    pending: 'not listed',
    leave: 'not left'
  },
  left: (jobs) => `${jobs} jobs are left`,
  timeout: (ms) => new Error(`no answer within ${ms} ms`),
  unavailable: (operation) => new Unavailable(operation)
}

/** Lets everything that is ready run: promises, and what they begin. */
export async function settle(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

export interface LogLine {
  readonly level: string
  readonly fields: Record<string, unknown>
  readonly text: string
}

export function listeningLog(): { log: FastifyBaseLogger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const take = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, fields: { ...fields }, text })
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, take(level)]))
  return { log: log as unknown as FastifyBaseLogger, lines }
}
