/**
 * A store whose database cannot be asked: every operation is refused with one error, status 503, and none answers as
 * if there were no such record. Afterwards the same store works.
 */
import assert from 'node:assert/strict'
import type { StoreParts } from '../selection/store-definition.ts'
import { ManualClock } from './manual-clock.ts'

/** Each operation of a store, called once with arguments that any store takes. The compiler finds one that is missing. */
export type Operations<Store> = { readonly [Name in keyof Store]: (store: Store) => unknown }

export interface FailingStore<Store> {
  readonly store: Store
  /** Ends the fault; resolves when the store can work again. */
  recover(): Promise<void>
}

/** How a driver brings a fault about on its real database. */
export interface StoreFaults<Store> {
  /** A store whose database does not answer, for whatever reason the driver has. */
  unreachable(parts: StoreParts): Promise<FailingStore<Store>>
}

interface Refusal {
  readonly statusCode?: unknown
  readonly code?: unknown
}

export async function everyOperationIsRefused<Store extends object>(
  { unreachable }: StoreFaults<Store>,
  operations: Operations<Store>
): Promise<void> {
  const { store, recover } = await unreachable({ clock: new ManualClock() })
  const codes = new Set<unknown>()
  // At once: a driver may wait a moment for its database before it refuses.
  const refusals = entries(operations).map(async ([name, call]) => ({ name, outcome: await settled(call(store)) }))
  for (const { name, outcome } of await Promise.all(refusals)) {
    assert.equal(outcome.statusCode, 503, `${name} is refused with 503, and answered ${JSON.stringify(outcome)}`)
    codes.add(outcome.code)
  }
  assert.equal(codes.size, 1, `one error for every operation: ${[...codes].join(', ')}`)
  await recover()
  for (const [name, call] of entries(operations)) {
    const outcome = await settled(call(store))
    assert.notEqual(outcome?.statusCode, 503, `${name} works afterwards`)
  }
}

function entries<Store>(operations: Operations<Store>): [string, (store: Store) => unknown][] {
  return Object.entries(operations)
}

async function settled(call: unknown): Promise<Refusal> {
  try {
    return { answer: (await call) ?? null } as Refusal
  } catch (error) {
    return error as Refusal
  }
}
