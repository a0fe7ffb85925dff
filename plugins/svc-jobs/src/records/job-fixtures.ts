/** Jobs for the suite of their store, and what it asks of a store again and again. */
import type { JobStore, NewRecord } from './job-store.ts'

export const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

export const aJob = (number: number, changes: Partial<NewRecord> = {}): NewRecord => {
  const id = idOf(number)
  return {
    id,
    name: 'mail',
    lane: 'mail',
    priority: 'normal',
    system: false,
    body: { to: 'ü€𝄞', n: [1, null] },
    uniqueKey: null,
    traceparent: null,
    cause: null,
    delayMs: 0,
    ...changes
  }
}

export const DONE = { state: 'done', attempts: 1, reason: null } as const

export const FAILED = { state: 'failed', attempts: 1, reason: 'no' } as const

export const stateOf = async (store: JobStore, number: number) => (await store.load([idOf(number)]))[0]?.state ?? null

export const claimed = async (store: JobStore) => {
  await store.queue.heartbeat('worker')
  return (await store.queue.claim('worker', 100, () => 100)).map(({ id }) => id).sort()
}
