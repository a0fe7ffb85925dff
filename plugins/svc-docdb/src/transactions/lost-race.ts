/**
 * An insert in a transaction that loses a race for its key. MongoDB reports a conflict (112), and the work runs again.
 * DocumentDB reports a duplicate key (11000), as it does for a row that the transaction sees.
 */
import mongoose from 'mongoose'
import { isDuplicateKey } from '../connection/storage-failure.ts'
import type { WithSession } from './operation-runner.ts'

/**
 * @param write of a key that no row has in the transaction
 * @param standing reads the row of the key outside of the transaction
 * @throws what `write` throws, as a conflict where another one has inserted the row meanwhile
 */
export async function losingRaces<T>(
  { session }: WithSession,
  write: () => Promise<T>,
  standing: () => Promise<unknown>
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const isRefused = session !== undefined && error instanceof mongoose.mongo.MongoError && isDuplicateKey(error)
    if (isRefused && (await standing()) !== null) error.addErrorLabel('TransientTransactionError')
    throw error
  }
}
