/** Kinds of jobs, as an application writes them and as a run sees them. */
import type { FastifyBaseLogger } from 'fastify'
import type { Infer } from 'svc-kernel'
import type { JobCause } from '../operations/job-cause.ts'

/** What an application says of a kind of job. */
export interface JobOptions<Schema = unknown> {
  /** JSON Schema or Standard Schema (Zod, TypeBox) of the body; checked when a job is added and again before it runs. */
  readonly body?: Schema
  /** Attempts after the first that failed. Default: that of the plugin. */
  readonly retries?: number
  /** Seconds that an attempt may take; after them its signal is aborted. Default: that of the plugin. */
  readonly timeoutS?: number
  /** Jobs of one lane share turns and limits. Default: the name of the job. */
  readonly lane?: string | ((body: BodyOf<Schema>) => string)
  /** While a job with this key has not ended, another is not added. `true`: one with the same body. */
  readonly unique?: true | ((body: BodyOf<Schema>) => string)
  /** `false`: the body is removed when the job is done. Default `true`. */
  readonly keepBody?: boolean
}

/** What a schema lets through; a job without a schema has a body of which nothing is known. */
export type BodyOf<Schema> = [Infer<Schema>] extends [never] ? unknown : Infer<Schema>

/** One attempt, as its function sees it. */
export interface RunningJob {
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

/** Makes one attempt; the attempt fails if this throws or rejects. */
export type JobWork<Body> = (body: Body, job: RunningJob) => unknown

/** As the registry holds it: every default filled in. */
export interface JobDefinition {
  readonly name: string
  readonly retries: number
  readonly timeoutMs: number
  readonly keepBody: boolean
  lane(body: unknown): string
  /** `null`: any number of the same job. */
  unique(body: unknown): string | null
  /** @returns the body as the schema makes it @throws InvalidJobBody */
  check(body: unknown): unknown | Promise<unknown>
  work(body: unknown, job: RunningJob): unknown
}
