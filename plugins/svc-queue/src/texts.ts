/** How a worker speaks of its queue: the log codes, the sentences and the errors of the package that uses it. */
import type { Clock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import type { QueueOperation } from './queue.ts'

/** Log codes, sentences and errors of a worker whose shared queue fails: those of the package that uses it. */
export interface QueueTexts {
  /** Of log lines about a queue that fails. */
  readonly code: string
  /** The log line for an operation that failed. */
  readonly failed: Readonly<Record<QueueOperation, string>>
  /** The log line of a stop that leaves jobs in the queue. */
  readonly left: (jobs: number) => string
  /** A call took too long. */
  readonly timeout: (ms: number) => Error
  /** Of status 503, for a caller who waits for the admission of jobs, or for what the queue holds. */
  readonly unavailable: (operation: 'admit' | 'counts') => Error
}

const DEADLINE_MS = 10_000

/** A call without an answer by its deadline has failed. Rejects with `timeout`, or as the call does. */
export function inTime<Value>(
  clock: Clock,
  { timeout }: Pick<QueueTexts, 'timeout'>,
  call: () => Promise<Value>
): Promise<Value> {
  return withTimeout(DEADLINE_MS, clock, call, () => timeout(DEADLINE_MS))
}
