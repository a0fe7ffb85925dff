/** A full disk: writes are refused with one code and undone, reads go on, and nothing has to be restarted when there is room. */
import { chmodSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import t, { type Test } from 'tap'
import { startDocumentEngine } from '../../src/index.ts'
import { onSmallDisk, type SmallDisk } from '../support/small-disk.ts'

interface Row {
  readonly _id: number
  readonly n: number
  readonly text: string
}

const FULL = { code: 14031, codeName: 'OutOfDiskSpace' }

t.test('R14: a full disk refuses writes with one code and recovers', (t) =>
  onSmallDisk(t, 1024, (disk) => fullDisk(t, disk))
)

async function fullDisk(t: Test, disk: SmallDisk): Promise<void> {
  const file = join(disk.folder, 'data.db')
  const engine = await startDocumentEngine({ file })
  const client = await new MongoClient(engine.uri).connect()
  const rows = client.db('d').collection<Row>('rows')
  await rows.createIndex({ n: 1 }, { unique: true })
  const text = 'x'.repeat(8000)
  let written = 0
  const fill = async () => {
    for (; written < 1000; written += 1) await rows.insertOne({ _id: written, n: written, text })
  }
  await t.rejects(fill(), FULL)
  t.ok(written > 0 && written < 1000, `${written} rows`)

  await t.test('what was refused is not there, and what is there can be read', async (t) => {
    t.equal(await rows.countDocuments(), written)
    t.equal(await rows.findOne({ n: written }), null)
    t.match(await rows.findOne({ n: written - 1 }), { _id: written - 1 })
    await t.rejects(rows.insertOne({ _id: -1, n: 0, text }), { code: 11000 }, 'a duplicate is still one')
  })

  await t.test('changes of every kind are undone', async (t) => {
    const large = 'y'.repeat(400_000)
    await t.rejects(rows.updateOne({ n: 0 }, { $set: { text: large, n: -7 } }), FULL)
    await t.rejects(rows.findOneAndUpdate({ n: 1 }, { $set: { text: large } }), FULL)
    await t.rejects(client.db('d').collection('other').insertOne({ large }), FULL)
    const session = client.startSession()
    const work = session.withTransaction(async () => {
      await rows.insertOne({ _id: -2, n: -2, text: large }, { session })
      await rows.deleteOne({ n: 2 }, { session })
    })
    await t.rejects(work, FULL)
    await session.endSession()
    t.match(await rows.find({ n: { $in: [-7, -2, 0, 1, 2] } }, { sort: { n: 1 } }).toArray(), [
      { n: 0, text },
      { n: 1, text },
      { n: 2, text }
    ])
    t.strictSame(
      (await client.db('d').listCollections().toArray()).map(({ name }) => name),
      ['rows'],
      'no collection came into being'
    )
    t.equal(await rows.countDocuments(), written)
  })

  await t.test('many at once are refused alike', async (t) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        rows.insertOne({ _id: 5000 + index, n: 5000 + index, text: text.repeat(40) })
      )
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') t.match(outcome.reason, FULL)
    const kept = outcomes.filter(({ status }) => status === 'fulfilled').length
    t.equal(await rows.countDocuments(), written + kept)
    await rows.deleteMany({ _id: { $gte: 5000 } }).catch(() => undefined)
  })

  disk.enlarge()
  await t.test('with room it goes on, without a restart', async (t) => {
    await rows.deleteMany({ _id: { $gte: 5000 } })
    await rows.updateOne({ n: 0 }, { $set: { text: 'after' } })
    await client.withSession((session) =>
      session.withTransaction(() => rows.insertOne({ _id: -2, n: -2, text }, { session }))
    )
    t.equal(await rows.countDocuments(), written + 1)
  })

  const before = await rows.find({}, { sort: { _id: 1 } }).toArray()
  await client.close()
  await engine.close()
  const again = await startDocumentEngine({ file })
  t.teardown(() => again.close())
  const reader = await new MongoClient(again.uri).connect()
  t.teardown(() => reader.close())
  t.strictSame(
    await reader
      .db('d')
      .collection<Row>('rows')
      .find({}, { sort: { _id: 1 } })
      .toArray(),
    before,
    'the file has what memory had'
  )
}

t.test('A8: a full disk refuses writes as soon as the room of the log is used, which is little', (t) =>
  onSmallDisk(t, 16_384, async (disk) => {
    const engine = await startDocumentEngine({ file: join(disk.folder, 'data.db') })
    t.teardown(() => engine.close())
    const client = await new MongoClient(engine.uri).connect()
    t.teardown(() => client.close())
    const rows = client.db('d').collection<Row>('rows')
    const text = 'x'.repeat(200)
    const insert = (_id: number) => rows.insertOne({ _id, n: _id, text })
    // The log has been as large as it gets, and is written over.
    for (let id = 0; id < 2500; id += 1) await insert(id)
    const { bavail, bsize } = statfsSync(disk.folder)
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(bavail * bsize))
    t.equal(statfsSync(disk.folder).bavail, 0)
    let accepted = 0
    const fill = async () => {
      for (; accepted < 2500; accepted += 1) await insert(10_000 + accepted)
    }
    await t.rejects(fill(), FULL)
    t.ok(accepted <= 130, `${accepted} writes of two pages or more, after the disk was full`)
  })
)

t.test('R14: the data file is for its owner alone', async (t) => {
  const folder = t.testdir({})
  const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777
  const engine = await startDocumentEngine({ file: join(folder, 'new.db') })
  const client = await new MongoClient(engine.uri).connect()
  await client.db('d').collection('c').insertOne({})
  t.equal(modeOf('new.db'), 0o600)
  t.equal(modeOf('new.db-wal'), 0o600)
  await client.close()
  await engine.close()
  writeFileSync(join(folder, 'old.db'), '')
  chmodSync(join(folder, 'old.db'), 0o644)
  await (await startDocumentEngine({ file: join(folder, 'old.db') })).close()
  t.equal(modeOf('old.db'), 0o600, 'also one that was there with more rights')
})
