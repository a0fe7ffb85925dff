/** What becomes of rows beyond their values: marked instead of removed, numbered with each change, watched by hooks. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import type { AnyRow } from '../entities/row-of.ts'
import { type CaseContext, type Cases, column, refused, Undone, undo } from './conformance-suite.ts'

async function tree({ repository }: CaseContext): Promise<readonly [root: AnyRow, kept: AnyRow, gone: AnyRow]> {
  const folders = repository('Folder')
  const root = await folders.create({ path: '/' })
  const [kept, gone] = await folders.createMany([
    { path: '/kept', parentId: root.id, files: 1 },
    { path: '/gone', parentId: root.id, files: 2 }
  ])
  assert.equal(await folders.deleteOne({ path: '/gone' }), true)
  return [root, kept as AnyRow, gone as AnyRow]
}

export const deletedCases: Cases = {
  'a row that is deleted is absent everywhere, unless it is asked for': async (context) => {
    const [root, , gone] = await tree(context)
    const folders = context.repository('Folder')
    const paths = async (rows: Promise<AnyRow[]>) => column(await rows, 'path')
    const byPath = { order: [['path', 'ASC']] } as const
    assert.deepEqual(await paths(folders.find({}, byPath)), ['/', '/kept'])
    assert.equal(await folders.findOne({ id: gone.id }), null)
    assert.equal(await folders.count({ files: 2 }), 0)
    assert.equal(await folders.exists({ path: '/gone' }), false)
    assert.deepEqual(await folders.aggregate({}, { files: { sum: 'files' } }), { files: 1 })
    assert.deepEqual(await folders.distinct('path'), ['/', '/kept'])
    assert.equal((await folders.page({}, { limit: 5 })).items.length, 2)
    assert.equal(await folders.updateOne({ id: gone.id }, { files: 9 }), null)
    assert.equal(await folders.updateMany({ path: '/gone' }, { files: 9 }), 0)
    assert.equal(await folders.increment({ id: gone.id }, 'files'), null)
    assert.equal(await folders.delete({ path: '/gone' }), 0)
    const all = folders.withDeleted()
    assert.deepEqual(await paths(all.find({}, byPath)), ['/', '/gone', '/kept'])
    assert.ok((await all.findOne({ id: gone.id }))?.deletedAt instanceof Date)
    assert.equal(await all.count({ deletedAt: { $null: false } }), 1)
    assert.equal((await all.findOne({ id: root.id }))?.deletedAt, null)
  },
  'and it is absent through relations': async (context) => {
    const [root, kept, gone] = await tree(context)
    const folders = context.repository('Folder')
    const loaded = await folders.findOne({ id: root.id }, { include: { folders: true } })
    assert.deepEqual(column(loaded?.folders as AnyRow[], 'path'), ['/kept'])
    assert.equal(await folders.count({ folders: { files: 2 } }), 0)
    assert.equal(await folders.count({ folders: { files: 1 } }), 1)
    const all = folders.withDeleted()
    assert.equal((await all.findOne({ id: root.id }, { relations: ['folders'] }))?.folders.length, 2)
    assert.equal(await all.count({ folders: { files: 2 } }), 1)
    await folders.deleteOne({ id: root.id })
    assert.equal((await folders.findOne({ id: kept.id }, { relations: ['parent'] }))?.parent, null)
    assert.equal(await folders.count({ parent: null }), 1)
    assert.equal((await all.findOne({ id: gone.id }, { relations: ['parent'] }))?.parent.path, '/')
  },
  'it keeps its unique values, is restored as it was, and is purged for good': async (context) => {
    const [, , gone] = await tree(context)
    const folders = context.repository('Folder')
    await refused(() => folders.create({ path: '/gone' }), 'SVC_ORM_UNIQUE', 409)
    await refused(() => folders.upsert({ path: '/gone' }, {}), 'SVC_ORM_UNIQUE', 409)
    assert.equal((await folders.withDeleted().upsert({ path: '/gone' }, {})).id, gone.id)
    assert.equal(await folders.restore({ path: '/kept' }), 0)
    assert.equal(await folders.restore({ path: '/gone' }), 1)
    assert.equal((await folders.findOne({ id: gone.id }))?.files, 2)
    assert.equal(await folders.purge({}), 0, 'what is there is not purged')
    assert.deepEqual(await folders.findOneAndDelete({ id: gone.id }), { ...gone, version: 2 })
    assert.equal(await folders.purge({ path: '/gone' }), 1)
    assert.equal(await folders.withDeleted().count(), 2)
    await folders.create({ path: '/gone' })
    await refused(() => context.things.restore({}), 'SVC_ORM_OPTIONS', 400)
    await refused(() => context.things.purge({}), 'SVC_ORM_OPTIONS', 400)
  }
}

export const versionCases: Cases = {
  'a change that carries the version that was read counts only while it stands': async ({ repository }) => {
    const folders = repository('Folder')
    const read = await folders.create({ path: '/', version: 7 })
    assert.equal(read.version, 1)
    const changed = await folders.updateOne({ id: read.id }, { ...read, files: 1 })
    assert.deepEqual([changed?.version, changed?.files], [2, 1])
    await refused(() => folders.updateOne({ id: read.id }, { ...read, files: 5 }), 'SVC_ORM_VERSION', 409)
    await refused(() => folders.updateOne({ id: read.id }, { version: 1 }), 'SVC_ORM_VERSION', 409)
    assert.equal((await folders.increment({ id: read.id }, 'files'))?.version, 3)
    await folders.updateMany({}, { $max: { files: 9 } })
    assert.equal((await folders.updateOne({ id: read.id }, { files: 8 }))?.version, 5, 'without one, the last one wins')
    await folders.deleteOne({ id: read.id })
    assert.equal(await folders.updateOne({ id: read.id }, { ...read }), null, 'what is gone is no conflict')
    assert.equal(await folders.restore({ id: read.id }), 1)
    assert.equal((await folders.findOne({ id: read.id }))?.version, 6, 'a restored row has changed')
    await refused(() => folders.updateOne({ id: read.id }, { files: 1, version: 5 }), 'SVC_ORM_VERSION', 409)
    await refused(() => folders.updateMany({}, { version: 1 }), 'SVC_ORM_VALUE', 400)
    await refused(() => folders.updateOne({}, { version: 'x' }), 'SVC_ORM_VALUE', 400)
  },
  'of changes at once that were made on the same version, one counts': async ({ repository }) => {
    const folders = repository('Folder')
    const read = await folders.create({ path: '/' })
    const outcomes = await atOnce(6, async (index) => {
      const error = await folders
        .updateOne({ id: read.id }, { version: 1, files: index })
        .catch((each: unknown) => each)
      return error instanceof Error ? (error as Error & { code?: string }).code : 'changed'
    })
    assert.deepEqual(outcomes.sort(), [...Array(5).fill('SVC_ORM_VERSION'), 'changed'])
  }
}

export const hookCases: Cases = {
  'hooks see what is written, change it, and write rows of their own': async ({ repository, things }) => {
    const letters = repository('Letter')
    const letter = await letters.create({ text: 'four' })
    assert.equal(letter.size, 4)
    await letters.createMany([{ text: 'a' }, { text: 'b' }])
    assert.equal((await letters.updateOne({ id: letter.id }, { text: 'seven' }))?.size, 5)
    assert.equal(await letters.updateMany({ size: 1 }, { read: 1 }), 2)
    assert.equal((await letters.increment({ id: letter.id }, 'read', 2))?.read, 2)
    assert.equal((await letters.upsert({ id: letter.id }, { text: 'x' })).text, 'seven')
    assert.equal(await letters.deleteOne({ id: letter.id }), true)
    assert.equal(await letters.delete({}), 2)
    const expected = [
      ...['created four', 'created a', 'created b', 'four became seven', 'a became a', 'b became b'],
      ...['seven became seven', 'deleted seven', 'deleted a', 'deleted b']
    ]
    assert.deepEqual(column(await things.find(), 'label'), expected)
  },
  'what a hook refuses is not written, nor what it wrote by then': async ({ repository, things }) => {
    const letters = repository('Letter')
    const [letter] = await letters.createMany([{ text: 'a' }, { text: 'b', read: 13 }])
    await things.delete({})
    const id = letter?.id ?? ''
    await assert.rejects(letters.create({ text: 'refused' }), RangeError)
    await assert.rejects(letters.createMany([{ text: 'c' }, { text: 'refused later' }]), RangeError)
    await assert.rejects(letters.updateOne({ id }, { text: 'refused later' }), RangeError)
    await assert.rejects(letters.updateMany({}, { text: 'refused' }), RangeError)
    await assert.rejects(letters.delete({}), RangeError)
    await refused(() => letters.create({}), 'SVC_ORM_VALUE', 400)
    await refused(() => letters.updateOne({ id }, { text: 'x', version: 9 }), 'SVC_ORM_VERSION', 409)
    assert.deepEqual(column(await letters.find(), 'text'), ['a', 'b'])
    assert.equal(await things.count(), 0)
  },
  'hooks take part in the transaction of the write, and doom it': async ({ repository, things }) => {
    const letters = repository('Letter')
    const outer = letters.withTransaction(async (inside) => {
      await inside.create({ text: 'a' })
      assert.equal(await things.count(), 0)
      await undo()
    })
    await assert.rejects(outer, Undone)
    const caught = letters.withTransaction(async (inside) => {
      await inside.create({ text: 'kept?' })
      await assert.rejects(inside.create({ text: 'refused' }), RangeError)
    })
    await assert.rejects(caught, RangeError)
    assert.deepEqual([await letters.count(), await things.count()], [0, 0])
  },
  'a hook runs again with its work': async ({ repository, things }) => {
    const letters = repository('Letter')
    const { id } = await letters.create({ text: 'a' })
    await atOnce(5, () => letters.increment({ id }, 'read'))
    assert.equal((await letters.findOne({ id }))?.read, 5)
    assert.equal(await things.count({ label: 'a became a' }), 5)
  }
}
