/**
 * Tells the user who caused a job how far it has come, over svc-realtime where it is registered: on the channel of that
 * user's own sockets, which no one else hears.
 */
import type { FastifyInstance } from 'fastify'
import { decoratorOf, type JobCause } from 'svc-kernel'
import type { JobProgress } from '../records/job-record.ts'

/** What is used of svc-realtime. */
interface OwnChannels {
  publishTo(user: string, topic: string, data: unknown): void
}

interface ReportingJob {
  readonly id: string
  readonly name: string
  readonly cause: JobCause | null
}

export type ProgressListener = (job: ReportingJob, progress: JobProgress) => void

const TOPIC = 'jobs'

export function progressChannel(fastify: FastifyInstance): ProgressListener {
  return ({ id, name, cause }, progress) => {
    if (cause === null || cause.user === null) return
    const realtime = decoratorOf(fastify as unknown as { realtime: OwnChannels }, 'realtime')
    realtime?.publishTo(cause.user, TOPIC, { id, name, progress })
  }
}
