/** Waits for a lock of another process: again and again, with the event loop free in between, and not for ever. */
import { setTimeout } from 'node:timers/promises'
import { isBusy } from './sqlite-failure.ts'

const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 100

/** @param work runs once where the lock is free @throws what `work` throws, when it still does after `waitMs` */
export function waitForLock<T>(work: () => T, waitMs: number): T | Promise<T> {
  try {
    return work()
  } catch (error) {
    if (!isBusy(error)) throw error
    return retry(work, waitMs, error)
  }
}

async function retry<T>(work: () => T, waitMs: number, first: unknown): Promise<T> {
  let error = first
  let waited = 0
  for (let pause = FIRST_PAUSE_MS; waited < waitMs; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    // A wait that keeps the process alive, unlike a clock's: a caller awaits the answer.
    await setTimeout(pause)
    waited += pause
    try {
      return work()
    } catch (again) {
      if (!isBusy(again)) throw again
      error = again
    }
  }
  throw error
}
