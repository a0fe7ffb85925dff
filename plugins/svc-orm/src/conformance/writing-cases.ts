/** Creating, changing and deleting rows. */
import assert from 'node:assert/strict'
import { type Cases, column, refused } from './conformance-suite.ts'
import { Thing } from './fixtures.ts'

export const writingCases: Cases = {
  'a new row has an id, every field, and its defaults': async ({ connector, things }) => {
    const { id, ...row } = await things.create({ label: 'one' })
    assert.ok(typeof id === 'string' && connector.ids.accepts(id))
    const empty = Object.fromEntries(Object.keys(Thing.schema).map((name) => [name, null]))
    assert.deepEqual({ ...row }, { ...empty, label: 'one', count: 0 })
    assert.deepEqual({ ...(await things.findOne({ id })) }, { id, ...row })
  },
  'unknown fields are dropped, and read back as undefined': async ({ things }) => {
    const hostile = JSON.parse(
      '{"label":"one","nope":1,"__proto__":{"admin":true},"$set":{"count":9},"_id":"x","a.b":2}'
    )
    const row = await things.create(hostile)
    assert.equal(row.nope, undefined)
    assert.equal(row.admin, undefined)
    assert.equal(row.count, 0)
    const updated = await things.updateOne({ id: row.id }, { nope: 1, label: 'two' })
    assert.deepEqual({ ...updated }, { ...row, label: 'two' })
    assert.deepEqual(Object.keys(updated ?? {}).sort(), Object.keys(row).sort())
  },
  'undefined is no value: a new row takes its default, a changed one keeps what it has': async ({ things }) => {
    const row = await things.create({ label: 'one', count: undefined })
    assert.equal(row.count, 0)
    assert.equal((await things.updateOne({ id: row.id }, { label: undefined, count: 2 }))?.label, 'one')
  },
  'an id is taken in the form of the connector, once, and refused in another': async ({ connector, things }) => {
    const id = connector.ids.generate()
    assert.equal((await things.create({ id, label: 'mine' })).id, id)
    await refused(() => things.create({ id }), 'SVC_ORM_UNIQUE', 409)
    for (const wrong of ['', 'x', '1', id.toUpperCase() === id ? `${id}0` : id.toUpperCase(), 5, null, {}, [id]]) {
      await refused(() => things.create({ id: wrong } as never), 'SVC_ORM_VALUE', 400)
    }
    assert.equal(await things.count(), 1)
  },
  'required fields are asked for, on create and on update': async ({ pairs }) => {
    await refused(() => pairs.create({ right: 'r' }), 'SVC_ORM_VALUE', 400)
    await refused(() => pairs.create({ left: null }), 'SVC_ORM_VALUE', 400)
    const { id } = await pairs.create({ left: 'l' })
    await refused(() => pairs.updateOne({ id }, { left: null }), 'SVC_ORM_VALUE', 400)
    assert.equal((await pairs.findOne({ id }))?.left, 'l')
  },
  'createMany checks every row before it writes, and keeps the order': async ({ things }) => {
    await refused(() => things.createMany([{ label: 'a' }, { count: 'x' as never }]), 'SVC_ORM_VALUE', 400)
    assert.equal(await things.count(), 0)
    assert.deepEqual(await things.createMany([]), [])
    const many = Array.from({ length: 1200 }, (_, index) => ({ label: `row ${index}`, count: index }))
    const rows = await things.createMany(many)
    assert.deepEqual(
      rows.map(({ label, count }) => ({ label, count })),
      many
    )
    assert.equal(await things.count(), 1200)
    assert.deepEqual(column(await things.find({}, { limit: 3, offset: 1000 }), 'count'), [1000, 1001, 1002])
  },
  'updateOne answers the row as it is afterwards, of several matches the first by id': async ({ things }) => {
    const [first, second] = await things.createMany([{ label: 'same' }, { label: 'same' }])
    const updated = await things.updateOne({ label: 'same' }, { count: 5 })
    assert.deepEqual({ ...updated }, { ...first, count: 5 })
    assert.equal((await things.findOne({ id: second?.id ?? '' }))?.count, 0)
    assert.equal(await things.updateOne({ label: 'nobody' }, { count: 5 }), null)
    assert.deepEqual({ ...(await things.updateOne({ label: 'same' }, {})) }, { ...first, count: 5 })
  },
  'an id cannot be changed; null empties a field': async ({ connector, things }) => {
    const { id } = await things.create({ label: 'one', total: 3 })
    const changed = await things.updateOne({ id }, { id: connector.ids.generate(), label: null, total: null })
    assert.equal(changed?.id, id)
    assert.equal(changed?.label, null)
    assert.equal((await things.findOne({ id }))?.total, null)
  },
  'updateMany and delete count what they met': async ({ things }) => {
    await things.createMany([{ label: 'a' }, { label: 'a' }, { label: 'b' }])
    assert.equal(await things.updateMany({ label: 'a' }, { count: 2 }), 2)
    assert.equal(await things.updateMany({ label: 'a' }, { count: 2 }), 2)
    assert.equal(await things.updateMany({ label: 'a' }, {}), 2)
    assert.equal(await things.updateMany({ label: 'z' }, { count: 2 }), 0)
    assert.equal(await things.count({ count: 2 }), 2)
    assert.equal(await things.delete({ label: 'a' }), 2)
    assert.equal(await things.delete({ label: 'a' }), 0)
    assert.equal(await things.delete({}), 1)
  },
  'deleteOne and findOneAndDelete take the first match by id': async ({ things }) => {
    const [, second, third] = await things.createMany([{ label: 'x' }, { label: 'x' }, { label: 'x' }])
    assert.equal(await things.deleteOne({ label: 'x' }), true)
    assert.deepEqual({ ...(await things.findOneAndDelete({ label: 'x' })) }, { ...second })
    assert.deepEqual(column(await things.find(), 'id'), [third?.id])
    assert.equal(await things.deleteOne({ label: 'z' }), false)
    assert.equal(await things.findOneAndDelete({ label: 'z' }), null)
  },
  'timestamps are kept by the repository only': async ({ pairs }) => {
    const given = new Date(0)
    const row = await pairs.create({ left: 'l', createdAt: given, updatedAt: given })
    assert.ok(row.createdAt instanceof Date && row.createdAt.getTime() > 0)
    assert.deepEqual(row.updatedAt, row.createdAt)
    const updated = await pairs.updateOne({ id: row.id }, { note: 'n', createdAt: given, updatedAt: given })
    assert.deepEqual(updated?.createdAt, row.createdAt)
    assert.ok(updated?.updatedAt >= row.updatedAt)
    assert.ok((await pairs.increment({ id: row.id }, 'visits'))?.updatedAt >= updated?.updatedAt)
  },
  'count and exists': async ({ things }) => {
    assert.equal(await things.count(), 0)
    assert.equal(await things.exists({}), false)
    await things.createMany([{ label: 'a' }, { label: 'b' }])
    assert.equal(await things.count(), 2)
    assert.equal(await things.count({ label: 'a' }), 1)
    assert.equal(await things.exists({ label: 'a' }), true)
    assert.equal(await things.exists({ label: 'z' }), false)
  }
}
