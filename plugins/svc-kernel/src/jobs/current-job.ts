/** A job as its work sees it, whether that is a function or a method of a controller. */
import type { FastifyBaseLogger } from 'fastify'

/** Who caused a job, as of when it was added. It names people and requests, and holds no credential. */
export interface JobCause {
  /** Identifier of the user; `null`: the caller was anonymous, or the application itself. */
  readonly user: string | null
  /** `type` of the caller's token, such as `session` or `apikey`; `null` without one. */
  readonly token: string | null
  /** Id of the request, as the log has it in `reqId`; at most 200 characters. `null`: there was none. */
  readonly requestId: string | null
  /** Id of the job that added it; `null`: no job did. */
  readonly job: string | null
  /** Id of the organisation in which it was added; absent without one. */
  readonly organization?: string
}

/** One attempt at a job. */
export interface CurrentJob {
  readonly id: string
  readonly name: string
  /** From 1. */
  readonly attempt: number
  /** Epoch ms. */
  readonly addedAt: number
  /** Who caused it, as of when it was added; `null`: the application itself. */
  readonly cause: JobCause | null
  /** Aborted when the job is cancelled, takes too long, or the application stops. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}

/** Which of the jobs that wait goes first. */
export type Priority = 'low' | 'normal' | 'high' | 'urgent'

/** What a kind of job says of itself, beside the schema of its body. */
export interface JobSettings<Body = unknown> {
  /** Attempts after the first that failed. Default: that of svc-jobs. */
  readonly retries?: number
  /** Seconds that an attempt may take; after them its signal is aborted. Default: that of svc-jobs. */
  readonly timeoutS?: number
  /** Jobs of one lane share turns and limits. Default: the name of the job. */
  readonly lane?: string | ((body: Body) => string)
  /** While a job with this key has not ended, another is not added. `true`: one with the same body. */
  readonly unique?: true | ((body: Body) => string)
  /** Seconds after a job was added for which one that is done keeps its unique key. Default 0. */
  readonly uniqueForS?: number
  /** Which of the jobs that wait in its lane goes first; each step is worth ten minutes of waiting. Default `normal`. */
  readonly priority?: Priority
  /** `false`: the body is removed when the job is done. Default `true`. */
  readonly keepBody?: boolean
}

/** Which slots get a job although no instance ran when they were due. */
export type CatchUp = 'none' | 'latest' | 'all'

/** What becomes of a slot while the job of an earlier slot has not ended. */
export type Overlap = 'skip' | 'queue' | 'cancel'

/** What a schedule says of itself, beside its name, its cron text and its job. */
export interface ScheduleSettings {
  /** IANA time zone on whose clocks the cron text is read. */
  readonly zone: string
  /** The body of each job. Default `{}`. */
  readonly body?: unknown
  /** Default `latest`. */
  readonly catchUp?: CatchUp
  /** Default `skip`. */
  readonly overlap?: Overlap
  /** Identifier of the user that its jobs run as. Default: none, as nobody causes a schedule. */
  readonly as?: string
}
