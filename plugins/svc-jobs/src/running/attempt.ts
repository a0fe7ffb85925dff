/**
 * One attempt at a job: its function runs with a signal. The signal is aborted when the job is cancelled, takes too long,
 * or the application stops; work that does not end soon after is abandoned, and what it does later changes nothing. Where
 * nothing may run beside it, it is waited for instead.
 */
import type { Clock } from 'svc-kernel'
import { JobTimeout } from '../errors.ts'

/** How long work may take to end once its signal is aborted, ms. */
export const GRACE_MS = 5_000
/** It passes in steps: while the event loop is blocked, work cannot heed its signal. */
const GRACE_STEPS = 10

/** Why an attempt ends that is not at fault: its process stops, or other workers may hold its job by now. */
export class Interrupted extends Error {
  constructor() {
    super('the attempt was interrupted: its process stops, or lost the lease of its jobs')
  }
}

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly abandoned: boolean }

export interface AttemptParts {
  readonly lane: string
  readonly clock: Clock
  readonly timeoutMs: number
  /** Present: nothing may run beside the work. Called where it goes on after its grace, once. */
  readonly overran?: (() => void) | undefined
  work(attempt: Pick<JobAttempt, 'signal'>): unknown
}

export class JobAttempt {
  readonly #parts: AttemptParts
  /** Made for work that asks for its signal. */
  #controller: AbortController | null = null
  #reason: Error | null = null
  #timer: unknown = null
  #end: (end: AttemptEnd) => void = () => undefined

  constructor(parts: AttemptParts) {
    this.#parts = parts
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#reason !== null) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Its job may be with another worker by now, and it goes on. */
  isLeftIn(lane: string): boolean {
    return this.#parts.lane === lane && this.#reason instanceof Interrupted
  }

  abort(reason: Error): void {
    if (this.#reason !== null) return
    this.#reason = reason
    if (this.#timer !== null) this.#wait(GRACE_STEPS)
    this.#controller?.abort(reason)
  }

  /** Never rejects. */
  async run(): Promise<AttemptEnd> {
    const { clock, timeoutMs } = this.#parts
    this.#timer = clock.setTimeout(() => this.abort(new JobTimeout(String(timeoutMs / 1000))), timeoutMs)
    const end = await new Promise<AttemptEnd>((resolve) => {
      this.#end = resolve
      void this.#worked().then(resolve)
    })
    clock.clearTimeout(this.#timer)
    this.#timer = null
    return end
  }

  #wait(steps: number): void {
    const { clock, overran } = this.#parts
    clock.clearTimeout(this.#timer)
    const over = overran ?? (() => this.#end(this.#failed(this.#reason, true)))
    this.#timer = clock.setTimeout(() => (steps === 1 ? over() : this.#wait(steps - 1)), GRACE_MS / GRACE_STEPS)
  }

  async #worked(): Promise<AttemptEnd> {
    try {
      await this.#parts.work(this)
      // Work that ended in spite of its signal is done.
      return { kind: 'done' }
    } catch (error) {
      return this.#failed(this.#reason ?? error, false)
    }
  }

  #failed(error: unknown, abandoned: boolean): AttemptEnd {
    return error instanceof Interrupted ? { kind: 'interrupted' } : { kind: 'failed', error, abandoned }
  }
}
