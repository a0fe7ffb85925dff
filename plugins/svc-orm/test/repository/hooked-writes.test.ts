/** Writes around which hooks run: as many rows as without them, and rows that are only marked stay. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { defineEntity } from '../../src/index.ts'
import { withHooks } from '../../src/repository/entity-hooks.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'
import { compiled } from '../support/migrated-project.ts'

t.test('one row of several is changed or deleted, the first by id; a deleted row is restored', async (t) => {
  const seen: string[] = []
  const Note = withHooks(
    defineEntity({ name: 'Note', schema: { text: { type: 'string' } }, softDelete: true, version: true }),
    {
      beforeUpdate: (changes, { text }) => {
        if (text === 'c') changes.text = 'C'
      },
      afterUpdate: ({ text }, before) => void seen.push(`${before.text} became ${text}`),
      beforeDelete: ({ text }) => void seen.push(`deleted ${text}`)
    }
  )
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
  t.equal(await notes.restore({ text: 'c' }), 1)
  const versions = (await notes.find()).map(({ text, version }) => `${text} ${version}`)
  t.strictSame(versions, ['b 2', 'C 2'], 'a hook that changes the row makes no second version')
})

t.test('an upsert with hooks passes over rows outside of the index, and makes one that belongs to it', async (t) => {
  const made: unknown[] = []
  const Page = withHooks(
    defineEntity({
      name: 'Page',
      schema: { slug: { type: 'string', unique: 'present' }, key: { type: 'string' }, rank: { type: 'integer' } },
      indexes: [{ fields: ['key'], unique: true, where: { rank: { $gt: 5 } } }],
      softDelete: true
    }),
    {
      beforeCreate: (values) => {
        if (values.slug === 'low') values.rank = 1
      },
      afterCreate: ({ slug, rank }) => void made.push([slug, rank])
    }
  )
  const pages = new EntityRepositories({ database: memoryDatabase(), entities: compiled([Page]) }).repository('Page')
  await pages.createMany([
    { slug: 'a', key: 'k', rank: 1 },
    { slug: 'b', key: 'k', rank: 9 }
  ])
  await pages.delete({ slug: 'a' })
  t.match(await pages.upsert({ slug: 'a' }, { key: 'l', rank: 2 }), { rank: 2, deletedAt: null })
  t.match(await pages.upsert({ slug: 'a' }, { key: 'm', rank: 3 }), { rank: 2 })
  t.match(await pages.upsert({ key: 'k' }, { slug: 'c', rank: 7 }), { slug: 'b' })
  await t.rejects(pages.upsert({ key: 'n' }, { slug: 'low', rank: 7 }), {
    code: 'SVC_ORM_VALUE',
    message: /rank > 5, because key is unique among such rows only/
  })
  t.strictSame(made, [
    ['a', 1],
    ['b', 9],
    ['a', 2]
  ])
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
