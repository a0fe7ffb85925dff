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
  work(signal: AbortSignal): unknown
}

export class JobAttempt {
  readonly #parts: AttemptParts
  readonly #abort = new AbortController()

  constructor(parts: AttemptParts) {
    this.#parts = parts
  }

  /** Its job may be with another worker by now, and it goes on. */
  isLeftIn(lane: string): boolean {
    return this.#parts.lane === lane && this.#abort.signal.reason instanceof Interrupted
  }

  abort(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** Never rejects. */
  async run(): Promise<AttemptEnd> {
    const { clock, timeoutMs, overran } = this.#parts
    const { signal } = this.#abort
    let timer = clock.setTimeout(() => this.abort(new JobTimeout(String(timeoutMs / 1000))), timeoutMs)
    const abandoned = new Promise<AttemptEnd>((resolve) => {
      const over = overran ?? (() => resolve(this.#failed(signal.reason, true)))
      const wait = (steps: number) => {
        clock.clearTimeout(timer)
        timer = clock.setTimeout(() => (steps === 1 ? over() : wait(steps - 1)), GRACE_MS / GRACE_STEPS)
      }
      signal.addEventListener('abort', () => wait(GRACE_STEPS), { once: true })
    })
    try {
      return await Promise.race([this.#worked(), abandoned])
    } finally {
      clock.clearTimeout(timer)
    }
  }

  async #worked(): Promise<AttemptEnd> {
    const { signal } = this.#abort
    try {
      await this.#parts.work(signal)
      // Work that ended in spite of its signal is done.
      return { kind: 'done' }
    } catch (error) {
      return this.#failed(signal.aborted ? signal.reason : error, false)
    }
  }

  #failed(error: unknown, abandoned: boolean): AttemptEnd {
    return error instanceof Interrupted ? { kind: 'interrupted' } : { kind: 'failed', error, abandoned }
  }
}
