/** Kinds of jobs, as an application writes them and as a run sees them. */
import type { BodyOf, CurrentJob, JobSettings, Priority } from 'svc-kernel'
import type { StepWork } from '../steps/job-steps.ts'

/** What an application says of a kind of job. */
export interface JobOptions<Schema = unknown> extends JobSettings<BodyOf<Schema>> {
  /** JSON Schema or Standard Schema (Zod, TypeBox) of the body; checked when a job is added and again before it runs. */
  readonly body?: Schema
}

/** One attempt, as its function sees it. */
export interface RunningJob extends CurrentJob {
  /**
   * Does a step once: an attempt that follows gets its result, which is JSON of at most 64 KiB, without the work. Work that
   * declares a parameter gets a transaction that stores its result too.
   *
   * @param name of the step, unique in its job
   * @throws InvalidStep (SVC_JOBS_STEP), the reason of `signal` once it is aborted, and what `work` throws
   */
  step<Result>(name: string, work: StepWork<Result>): Promise<Result>
  /**
   * Says how far the attempt has come: stored once a second at most, and shown to whoever caused the job.
   *
   * @param value from 0 to 1 @param text at most 200 characters are kept
   * @throws InvalidProgress (SVC_JOBS_PROGRESS)
   */
  progress(value: number, text?: string): void
}

/** Makes one attempt; the attempt fails if this throws or rejects. */
export type JobWork<Body> = (body: Body, job: RunningJob) => unknown

/** As the registry holds it: every default filled in. */
export interface JobDefinition {
  readonly name: string
  /** The job of a maintenance task. */
  readonly system: boolean
  readonly retries: number
  readonly timeoutMs: number
  readonly keepBody: boolean
  readonly uniqueForMs: number
  readonly priority: Priority
  lane(body: unknown): string
  /** `null`: any number of the same job. */
  unique(body: unknown): string | null
  /** @returns the body as the schema makes it @throws InvalidJobBody */
  check(body: unknown): unknown | Promise<unknown>
  work(body: unknown, job: RunningJob): unknown
}
