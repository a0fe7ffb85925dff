/** Who migrates documents: one holder at a time, and one that has lost its lease stops before its next step. */
import mongoose from 'mongoose'
import { BootError } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { LEASE, MigrationLease } from '../../src/migrations/migration-lease.ts'
import { documents } from '../support/documents.ts'

const RENEWAL_MS = 20_000
const OVER_MS = 61_000

const { uri } = await documents(t)
const client = new mongoose.mongo.MongoClient(uri)
t.teardown(() => client.close())
const records = client.db().collection<mongoose.mongo.BSON.Document & { _id: string }>('svc_migration')

const leaseOf = (clock: ManualClock) => new MigrationLease(records, clock)

/** What the holder is told, once its renewal is answered. */
async function refusal(lease: MigrationLease): Promise<unknown> {
  for (let asked = 0; asked < 10_000; asked += 1) {
    try {
      lease.check()
    } catch (error) {
      return error
    }
    await records.countDocuments({})
  }
  return null
}

t.test('a lease that is renewed stays with its holder, and one that is given back is free', async (t) => {
  const clock = new ManualClock()
  const [held, next] = [leaseOf(clock), leaseOf(clock)]
  let waits = 0
  await held.acquire(() => {
    waits += 1
  })
  t.equal(waits, 0)
  const first = await records.findOne({ _id: LEASE })
  clock.advance(RENEWAL_MS)
  const renewed = async () => (await records.findOne({ _id: LEASE }))?.until > first?.until
  while (!(await renewed())) await records.countDocuments({})
  held.check()
  await held.release()
  await next.acquire(() => {
    waits += 1
  })
  t.equal(waits, 0, 'nobody is waited for')
  await next.release()
})

t.test('SVC_ORM_MIGRATION_LOCKED: a holder that came too late for its renewal', async (t) => {
  const [slow, other] = [new ManualClock(), new ManualClock()]
  const held = leaseOf(slow)
  await held.acquire(() => undefined)
  other.advance(OVER_MS)
  const taker = leaseOf(other)
  await taker.acquire(() => undefined)
  held.check()
  slow.advance(RENEWAL_MS)
  const error = await refusal(held)
  t.ok(error instanceof BootError)
  t.match((error as BootError).problems, [{ code: 'SVC_ORM_MIGRATION_LOCKED' }])
  await held.release()
  taker.check()
  t.match(await records.countDocuments({ _id: LEASE }), 1, 'the lease of another one is not given back')
  await taker.release()
  t.equal(await records.countDocuments({}), 0)
})
