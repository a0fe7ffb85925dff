/** Operations on a collection, for who watches: told with kind and time, and passed on as they are. */
import { requestChannels, type Statement } from 'svc-kernel'
import t from 'tap'
import type { DocumentAccess } from '../../src/table/document-access.ts'
import { watchedAccess } from '../../src/table/watched-access.ts'

class Access {
  readonly #documents = [{ _id: 1, secret: 'hunter2' }]

  async find() {
    return this.#documents
  }

  async deleteMany() {
    throw new Error('away')
  }
}

const OTHERS = [
  'findOne',
  'exists',
  'count',
  'aggregate',
  'lock',
  'insert',
  'insertEach',
  'updateOne',
  'upsert',
  'update',
  'updateEach',
  'deleteOne'
]

function access(): DocumentAccess {
  const others = Object.fromEntries(OTHERS.map((name) => [name, async () => name]))
  const made = Object.assign(new Access(), others)
  return watchedAccess(made as unknown as DocumentAccess, 'main', 'orders')
}

t.test('every operation is there, and answers as before', async (t) => {
  const watched = access() as unknown as Record<string, () => Promise<unknown>>
  for (const name of OTHERS) t.equal(await watched[name]?.(), name)
  t.strictSame(await watched.find?.(), [{ _id: 1, secret: 'hunter2' }])
})

t.test('told while somebody listens, also where it failed; never a value', async (t) => {
  const heard: Statement[] = []
  const end = requestChannels.statement.subscribe((statement) => void heard.push(statement))
  await access().find({ secret: 'hunter2' }, {})
  await t.rejects(access().deleteMany({}, {}), { message: 'away' })
  end()
  await access().find({}, {})
  t.match(heard, [
    { connector: 'main', kind: 'find', table: 'orders', text: 'find { secret: ? }', failed: false },
    { connector: 'main', kind: 'deleteMany', table: 'orders', failed: true }
  ])
  t.equal(heard.length, 2)
  t.notMatch(JSON.stringify(heard), /hunter2/)
})
