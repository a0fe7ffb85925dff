/** Duplicate keys of a server that does not tell a lost race from a duplicate. */
import type { ClientSession } from 'mongodb'
import mongoose from 'mongoose'
import { TransactionConflict, UniqueViolation } from 'svc-stores'
import t from 'tap'
import { storageFailure } from '../../src/connection/storage-failure.ts'
import { losingRaces } from '../../src/transactions/lost-race.ts'

const PLAN = { name: 'note', key: ['id'], columns: [{ name: 'id', type: 'text' }] } as const
const WITHIN = { session: {} as ClientSession }

const duplicate = () => new mongoose.mongo.MongoServerError({ code: 11_000, message: 'E11000' })

const cases = [
  ['another one has inserted the row meanwhile', WITHIN, duplicate(), { _id: 'a' }, TransactionConflict],
  ['another index refuses the row', WITHIN, duplicate(), null, UniqueViolation],
  ['outside of a transaction', {}, duplicate(), { _id: 'a' }, UniqueViolation],
  ['any other failure', WITHIN, new RangeError('no'), { _id: 'a' }, RangeError]
] as const

t.test('a key that is refused', async (t) => {
  for (const [name, within, error, standing, expected] of cases) {
    const refused = async () => Promise.reject(error)
    const failed = await losingRaces(within, refused, async () => standing).catch((failure: unknown) => failure)
    t.equal(failed, error)
    const told = storageFailure(failed, 'svc', PLAN)
    t.ok(told instanceof expected, name)
    const { cause } = told as { cause?: unknown }
    const isRepeated = cause instanceof mongoose.mongo.MongoError && cause.hasErrorLabel('TransientTransactionError')
    t.equal(isRepeated, expected === TransactionConflict, 'the driver repeats the work of a conflict alone')
  }
})

t.test('a write that is not refused', async (t) => {
  const unread = async () => t.fail('no row is read')
  t.equal(await losingRaces(WITHIN, async () => 'written', unread), 'written')
})
