/** Writes within a scope: what is new belongs to it, and rows of another one stay as they are. */
import assert from 'node:assert/strict'
import { InvalidCriteria, UniqueViolation } from '../errors.ts'
import type { Repository } from '../repository/repository.ts'
import { refused } from './conformance-suite.ts'
import { allWorks, type ScopeCases, type ScopedContext, twins } from './scope-fixtures.ts'

export const scopeWritingCases: ScopeCases = {
  'a new row gets its scope, and keeps it': async ({ within, across, works, writers }) => {
    const row = await within('a', () => works.create({ title: 'One' }))
    assert.equal(row.organizationId, 'a')
    assert.equal((await within('a', () => works.create({ title: 'Two', organizationId: 'a' }))).organizationId, 'a')
    await within('a', async () => {
      await refused(() => works.create({ title: 'x', organizationId: 'b' }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.createMany([{ title: 'x' }, { title: 'x', organizationId: 'b' }]), 'SVC_ORM_VALUE', 400)
      await refused(() => works.upsert({ title: 'x', code: '0' }, { organizationId: 'b' }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.updateOne({ id: row.id }, { organizationId: 'b' }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.updateMany({}, { organizationId: 'b' }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.increment({ id: row.id }, 'organizationId'), 'SVC_ORM_VALUE', 400)
    })
    await across(async () => {
      await refused(() => works.create({ title: 'x' }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.create({ title: 'x', organizationId: null }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.create({ title: 'x', organizationId: 'a\0' }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.updateOne({ id: row.id }, { organizationId: 'b' }), 'SVC_ORM_VALUE', 400)
      assert.equal((await works.create({ title: 'x', organizationId: 'b' })).organizationId, 'b')
      await writers.create({ name: 'w', organizationId: 'c' })
    })
    assert.deepEqual(await within('a', () => works.distinct('title')), ['One', 'Two'])
    assert.deepEqual(await within('b', () => works.distinct('title')), ['x'])
  },
  'rows of another scope are neither changed nor removed': async (context) => {
    const { within, works } = context
    const { a } = await twins(context)
    await within('a', () => works.deleteOne({ id: a.second.id }))
    const before = (await allWorks(context)).filter((row) => row.organizationId === 'a')
    await within('b', async () => {
      assert.equal(await works.updateOne({ id: a.first.id }, { title: 'Uno' }), null)
      assert.equal(await works.updateOne({ stars: 1 }, { title: 'Uno' }), null)
      assert.equal(await works.updateMany({ stars: { $lt: 5 } }, { title: 'Uno' }), 0)
      assert.equal(await works.updateMany({ stars: { $lt: 5 } }, {}), 0)
      assert.equal(await works.increment({ id: a.first.id }, 'stars'), null)
      assert.equal(await works.restore({ id: a.second.id }), 0)
      assert.equal(await works.purge({}), 0)
      assert.equal(await works.deleteOne({ id: a.first.id }), false)
      assert.equal(await works.findOneAndDelete({ id: a.first.id }), null)
      assert.equal(await works.updateMany({}, { price: '2.00' }), 2)
      assert.equal(await works.delete({}), 2)
      assert.equal(await works.purge({}), 2)
    })
    assert.deepEqual(await allWorks(context), before)
  },
  'a removal takes what is its own': async (context) => {
    const { within, writers } = context
    await twins(context)
    await within('b', async () => {
      assert.equal(await writers.deleteOne({ slug: 'ann' }), true)
      assert.equal((await writers.findOneAndDelete({ name: 'Ben' }))?.organizationId, 'b')
      assert.equal(await writers.delete({}), 0)
    })
    assert.equal(await within('a', () => writers.count()), 2)
  },
  'what is unique is so within a scope': async (context) => {
    const { within, works, writers } = context
    const { a, b } = await twins(context)
    await within('a', async () => {
      await violates(() => writers.create({ name: 'x', slug: 'ann' }), 'ScopedWriter', ['slug'])
      await violates(() => writers.updateOne({ slug: 'ben' }, { slug: 'ann' }), 'ScopedWriter', ['slug'])
      await violates(() => works.create({ title: 'One', code: '1' }), 'ScopedWork', ['title', 'code'])
      assert.equal((await writers.create({ name: 'Cy', slug: 'cy' })).slug, 'cy')
      // Ids are unique across scopes, and the row of another one is not told.
      await violates(() => writers.create({ id: b.writer.id, name: 'x' }), 'ScopedWriter', ['id'])
      await violates(() => writers.upsert({ id: b.writer.id }, { name: 'x' }), 'ScopedWriter', ['id'])
      assert.equal((await writers.upsert({ id: a.writer.id }, { name: 'x' })).name, 'Ann')
    })
    assert.equal((await within('b', () => writers.create({ name: 'Cy', slug: 'cy' }))).slug, 'cy')
  },
  'and among the rows that are present in a scope': async ({ within, works }) => {
    const create = () => works.create({ title: 'x', label: 'l' })
    const [inA] = [await within('a', create), await within('b', create)]
    await within('a', async () => {
      await violates(create, 'ScopedWork', ['label'])
      assert.equal((await works.upsert({ label: 'l' }, { title: 'y' })).id, inA.id)
      await works.deleteOne({ label: 'l' })
      assert.notEqual((await works.upsert({ label: 'l' }, { title: 'y' })).id, inA.id)
    })
    assert.equal(await within('b', () => works.count({ label: 'l' })), 1)
  },
  'an upsert finds the row of its scope': async (context) => {
    const { within, across, writers } = context
    const { a, b } = await twins(context)
    await within('a', async () => {
      assert.equal((await writers.upsert({ slug: 'ann' }, { name: 'x' })).id, a.writer.id)
      assert.equal((await writers.upsert({ slug: 'ann', organizationId: 'a' }, { name: 'x' })).id, a.writer.id)
      const made = await writers.upsert({ slug: 'new' }, { name: 'New' })
      assert.deepEqual([made.slug, made.organizationId], ['new', 'a'])
      await assert.rejects(() => writers.upsert({ organizationId: 'a' } as never, { name: 'x' }), InvalidCriteria)
    })
    assert.equal((await within('b', () => writers.upsert({ slug: 'ann' }, { name: 'x' }))).id, b.writer.id)
    await across(async () => {
      assert.equal((await writers.upsert({ slug: 'ann' }, { name: 'x', organizationId: 'b' })).id, b.writer.id)
      assert.equal((await writers.upsert({ slug: 'new' }, { name: 'Own', organizationId: 'b' })).name, 'Own')
      await refused(() => writers.upsert({ slug: 'ann' }, { name: 'x' }), 'SVC_ORM_VALUE', 400)
    })
    assert.equal(await within('a', () => writers.count()), 3)
    assert.equal(await within('b', () => writers.count()), 3)
  },
  'an upsert changes the row of its scope, and no other one': async (context) => {
    const { within, across, works, writers } = context
    const { a, b } = await twins(context)
    const key = { title: 'One', code: '1' }
    const more = { update: { stars: { $add: 5 }, price: { $mul: '1.5' } } } as const
    await within('b', async () => {
      const changed = await works.upsert(key, {}, more)
      assert.deepEqual([changed.id, changed.stars, changed.price], [b.first.id, 15, '1.50'])
      const named = await writers.upsert({ slug: 'ann', organizationId: 'b' }, { name: 'Anna' }, { update: true })
      assert.deepEqual([named.id, named.name], [b.writer.id, 'Anna'])
      // Ids are unique across scopes, and the row of another one is neither changed nor told.
      await violates(() => works.upsert({ id: a.first.id }, { title: 'x' }, more), 'ScopedWork', ['id'])
      await refused(() => works.upsert(key, {}, { update: { organizationId: 'a' } }), 'SVC_ORM_VALUE', 400)
      await refused(() => works.upsert(key, { organizationId: 'a' }, more), 'SVC_ORM_VALUE', 400)
      const made = await works.upsert({ title: 'New', code: '9' }, { stars: 1 }, more)
      assert.deepEqual([made.organizationId, made.stars], ['b', 1])
    })
    await within('a', async () => {
      const kept = await works.findOne({ id: a.first.id })
      assert.deepEqual([kept?.stars, kept?.price], [a.first.stars, a.first.price])
      assert.equal((await writers.findOne({ id: a.writer.id }))?.name, 'Ann')
    })
    await across(async () => {
      const changed = await works.upsert(key, { organizationId: 'a', stars: 40 }, { update: true })
      assert.deepEqual([changed.id, changed.stars, changed.organizationId], [a.first.id, 40, 'a'])
    })
  },
  'what is computed is computed in rows of the scope': async (context) => {
    const { within, works } = context
    const { a } = await twins(context)
    assert.equal(await within('b', () => works.updateMany({}, { stars: { $mul: 2 } })), 2)
    assert.equal(await within('b', () => works.updateOne({ id: a.first.id }, { stars: { $add: 1 } })), null)
    assert.deepEqual(await within('b', () => works.distinct('stars')), [20, 22])
    assert.equal((await within('a', () => works.findOne({ id: a.first.id })))?.stars, a.first.stars)
  }
}

export const scopeTransactionCases: ScopeCases = {
  'a transaction sees one scope after the other': async ({ opened, within, across, works }) => {
    await opened.transaction(async (tx) => {
      const inside = works.withTransaction(tx)
      await refusedOutside(inside, within)
      await within('a', () => inside.create({ title: 'of a' }))
      await within('b', () => inside.create({ title: 'of b' }))
      assert.deepEqual(await within('a', () => inside.distinct('title')), ['of a'])
      assert.deepEqual(await within('b', () => inside.distinct('title')), ['of b'])
      assert.equal(await across(() => inside.count()), 2)
      assert.deepEqual(await within('a', () => inside.distinct('organizationId')), ['a'])
    })
    await within('a', () =>
      works.withTransaction(async (inside) => {
        assert.equal(await inside.updateMany({}, { stars: 7 }), 1)
        const [locked] = await inside.find({}, { lock: 'update' })
        assert.equal(locked?.title, 'of a')
      })
    )
    assert.deepEqual(await within('b', () => works.distinct('stars')), [0])
  },
  'hooks and their repositories are in the scope of the write': async (context) => {
    const { within, across, letters, writers } = context
    await twins(context)
    await within('b', async () => {
      assert.equal((await letters.create({ text: 'hello' })).text, 'hello 2')
      assert.equal(await writers.count({ name: 'sent hello 2' }), 1)
    })
    assert.equal(await within('a', () => writers.count()), 2)
    await refused(() => letters.create({ text: 'x' }), 'SVC_ORM_NO_SCOPE', 500)
    await refused(() => across(() => letters.create({ text: 'x', organizationId: 'a' })), 'SVC_ORM_VALUE', 400)
    await within('b', () => letters.delete({}))
    assert.deepEqual(await within('a', () => writers.distinct('name')), ['Ann', 'Ben'])
    assert.deepEqual(await within('b', () => writers.distinct('name')), ['deleted hello 2'])
  }
}

/** Nothing was sent, and so the transaction goes on. */
async function refusedOutside(inside: Repository, within: ScopedContext['within']): Promise<void> {
  await refused(() => inside.find(), 'SVC_ORM_NO_SCOPE', 500)
  assert.equal(await within('a', () => inside.count()), 0)
}

async function violates(call: () => Promise<unknown>, entity: string, fields: readonly string[]): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof UniqueViolation)
    assert.deepEqual([error.entity, [...error.fields]], [entity, fields])
    return true
  })
}
