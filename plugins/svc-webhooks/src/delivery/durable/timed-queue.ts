/** The durable queue with a deadline for every call: one that does not answer is one that failed. */
import type { Clock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import { StoreTimeout } from '../../errors.ts'
import { DURABLE_OPERATIONS, type DurableQueue } from './durable-queue.ts'

const DEADLINE_MS = 10_000

/** @throws StoreTimeout, or what the queue throws */
export function timedQueue(queue: DurableQueue, clock: Clock): DurableQueue {
  const operations = queue as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>
  const timed = DURABLE_OPERATIONS.map((name) => [
    name,
    (...given: unknown[]) => timedCall(clock, async () => operations[name]?.(...given))
  ])
  return Object.fromEntries(timed) as unknown as DurableQueue
}

/** @throws StoreTimeout, or what the call throws */
export function timedCall<Value>(clock: Clock, call: () => Promise<Value>): Promise<Value> {
  return withTimeout(DEADLINE_MS, clock, call, () => new StoreTimeout(String(DEADLINE_MS)))
}
