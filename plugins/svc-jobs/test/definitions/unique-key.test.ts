/** Unique keys: short ones as they are, long ones so that every database can index them. */
import t from 'tap'
import { uniqueKeyOf } from '../../src/definitions/unique-key.ts'
import { openedJobs } from '../support/opened-jobs.ts'

t.test('a short key is kept as earlier releases stored it', async (t) => {
  t.equal(uniqueKeyOf('report', 'may'), 'report may')
})

t.test('a long key fits into an index of PostgreSQL, and tells jobs apart as before', async (t) => {
  const long = 'ä'.repeat(100_000)
  const keys = [`${long}a`, `${long}b`].map((key) => uniqueKeyOf('report', key))
  t.equal(new Set(keys).size, 2)
  t.equal(uniqueKeyOf('report', `${long}a`), keys[0])
  for (const key of keys) t.ok(Buffer.byteLength(key) <= 2704, key)
  const { jobs } = await openedJobs(t, (jobs) => jobs.define('report', { unique: true }, () => undefined), {
    options: { run: false }
  })
  const add = async (text: string) => (await jobs.add('report', { text })).added
  t.strictSame([await add(`${long}a`), await add(`${long}a`), await add(`${long}b`)], [true, false, true])
})
