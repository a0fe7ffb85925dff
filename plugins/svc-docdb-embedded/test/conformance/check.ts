/** One check of the suite, and how it asks for the code of a failure. */
import type { Db, MongoClient } from 'mongodb'

export interface CheckWorld {
  /** A database of the check's own. */
  readonly db: Db
  readonly client: MongoClient
}

export interface Check {
  readonly name: string
  /** Rejects with an assertion when the engine answers otherwise. */
  readonly run: (world: CheckWorld) => Promise<void>
}

/** The code a promise is rejected with; undefined when it is not rejected, or has none. */
export async function failureCode(promise: Promise<unknown>): Promise<number | undefined> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause
  )
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined
}
