/** One engine per file: users of one process share it, another process finds it, and the last one ends it. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { EngineFileUnusable, shareDocumentEngine, startDocumentEngine } from '../src/index.ts'
import { SharedEngines } from '../src/shared-engine.ts'

/** What another process has: no engine of this one. */
const elsewhere = () => new SharedEngines((file) => startDocumentEngine({ file }))

async function pings(uri: string): Promise<boolean> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 500 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.close()
  }
}

t.test('N2: two users in one process; the engine ends with the last', async (t) => {
  const file = join(t.testdir(), 'data.db')
  const [first, second] = await Promise.all([
    shareDocumentEngine(file, { join: false }),
    shareDocumentEngine(file, { join: false })
  ])
  t.equal(first.uri, second.uri)
  t.equal(statSync(`${file}.address`).mode & 0o777, 0o600)
  await first.close()
  await first.close()
  t.equal(await pings(second.uri), true, 'one closes, twice: the other goes on')
  await second.close()
  t.equal(await pings(second.uri), false)
  t.notOk(existsSync(`${file}.address`))
  const again = await shareDocumentEngine(file, { join: false })
  await again.close()
})

t.test('N2: the engine of another process is joined by who asks for that, and left running', async (t) => {
  const file = join(t.testdir(), 'data.db')
  const holder = await shareDocumentEngine(file, { join: false })
  t.teardown(() => holder.close())
  await t.rejects(elsewhere().open(file, false), EngineFileUnusable)
  const guest = await elsewhere().open(file, true)
  t.equal(guest.uri, holder.uri)
  await guest.close()
  t.equal(await pings(holder.uri), true)
})

t.test('an address that an engine of a killed process left behind is not believed', async (t) => {
  const file = join(t.testdir(), 'data.db')
  writeFileSync(`${file}.address`, 'mongodb://127.0.0.1:1/?replicaSet=rs0')
  const engine = await elsewhere().open(file, true)
  t.equal(await pings(engine.uri), true)
  t.equal(readFileSync(`${file}.address`, 'utf8'), engine.uri)
  await engine.close()

  const strict = await startDocumentEngine({ file })
  t.teardown(() => strict.close())
  writeFileSync(`${file}.address`, 'mongodb://elsewhere.example:27017/?replicaSet=rs0')
  await t.rejects(elsewhere().open(file, true), EngineFileUnusable, 'nor one that is not of this machine')
})
