/**
 * How a suite runs: each case gets a store of its own, empty, on a clock that
 * stands still. Independent of the test runner; a failed case throws.
 */
import assert from 'node:assert/strict'
import type { StoreParts } from '../selection/store-definition.ts'
import { ManualClock } from './manual-clock.ts'
import { everyOperationIsRefused, type Operations, type StoreFaults } from './outage-cases.ts'

/** Anything with tap's `t.test`: a subtest that fails when its body rejects. */
export interface ConformanceRunner {
  test(name: string, body: () => Promise<void>): unknown
}

export interface ConformanceSubject<Store> {
  /** An empty store; `parts.clock` is the only time it may use. */
  makeStore(parts: StoreParts): Store | Promise<Store>
  /** Called after each case, also after a failed one. */
  closeStore?(store: Store): void | Promise<void>
  /** Faults of the database behind the store; `null` where there is none, as with memory. */
  readonly faults: StoreFaults<Store> | null
}

export interface CaseContext<Store> {
  readonly store: Store
  readonly clock: ManualClock
}

export type ConformanceCase<Store> = readonly [name: string, body: (context: CaseContext<Store>) => Promise<void>]

export function aCase<Store>(name: string, body: ConformanceCase<Store>[1]): ConformanceCase<Store> {
  return [name, body]
}

export async function runCases<Store extends object>(
  runner: ConformanceRunner,
  cases: readonly ConformanceCase<Store>[],
  subject: ConformanceSubject<Store>,
  operations: Operations<Store>
): Promise<void> {
  for (const [name, body] of cases) {
    await runner.test(name, async () => {
      const clock = new ManualClock()
      const store = await subject.makeStore({ clock })
      try {
        await body({ store, clock })
      } finally {
        await subject.closeStore?.(store)
      }
    })
  }
  const { faults } = subject
  if (faults === null) return
  await runner.test(
    'R1: a store that cannot be asked refuses every operation with one 503, and never answers "absent"',
    () => everyOperationIsRefused(faults, operations)
  )
}

/** Calls made at once, as many instances would. */
export function atOnce<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)))
}

/** Exactly one of the calls answered `true`. */
export function oneWinner(answers: readonly boolean[]): void {
  assert.equal(answers.filter(Boolean).length, 1, 'exactly one call wins')
}

/** The call is refused with an error of this code. */
export async function refused(call: () => Promise<unknown>, code: string, saying = /./): Promise<void> {
  await assert.rejects(call, (error: { code?: unknown; message?: unknown }) => {
    assert.equal(error.code, code)
    assert.match(String(error.message), saying)
    return true
  })
}
