/** Writes around which hooks run: as many rows as without them, and rows that are only marked stay. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { defineEntity } from '../../src/index.ts'
import { withHooks } from '../../src/repository/entity-hooks.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'
import { compiled } from '../support/migrated-project.ts'

t.test('one row of several is changed or deleted, the first by id; a deleted row is restored', async (t) => {
  const seen: string[] = []
  const Note = withHooks(defineEntity({ name: 'Note', schema: { text: { type: 'string' } }, softDelete: true }), {
    afterUpdate: ({ text }, before) => void seen.push(`${before.text} became ${text}`),
    beforeDelete: ({ text }) => void seen.push(`deleted ${text}`)
  })
  const notes = new EntityRepositories({ database: memoryDatabase(), entities: compiled([Note]) }).repository('Note')
  await notes.createMany([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  const texts = async (repository = notes) => (await repository.find()).map(({ text }) => text as string)
  await notes.updateOne({}, { text: 'A' })
  t.strictSame(await texts(), ['A', 'b', 'c'])
  t.equal(await notes.deleteOne({}), true)
  t.strictSame(await texts(), ['b', 'c'])
  t.strictSame(await texts(notes.withDeleted()), ['A', 'b', 'c'], 'it is only marked')
  t.equal(await notes.delete({}), 2)
  t.equal(await notes.restore({ text: 'b' }), 1)
  t.strictSame(await texts(), ['b'])
  t.strictSame(seen, ['a became A', 'deleted A', 'deleted b', 'deleted c', 'b became b'])
})

t.test('an existing table that is not writable is read, and refuses each write', async (t) => {
  const Region = defineEntity({
    name: 'Region',
    existing: { name: 'regions', id: 'text' },
    schema: { title: { type: 'string' } }
  })
  const database = memoryDatabase()
  const regions = new EntityRepositories({ database, entities: compiled([Region]) }).repository('Region')
  const writes: (() => Promise<unknown>)[] = [
    () => regions.create({ id: 'eu', title: 'Europe' }),
    () => regions.updateMany({}, { title: 'x' }),
    () => regions.delete({})
  ]
  for (const write of writes) await t.rejects(write(), { code: 'SVC_ORM_READ_ONLY' })
  t.equal(await regions.count(), 0)
})
