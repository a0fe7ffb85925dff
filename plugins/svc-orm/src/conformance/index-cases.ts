/** Unique among some rows: those that are not deleted, and those that meet a condition. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import { UniqueViolation } from '../errors.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

const pagesOf = ({ repository }: CaseContext) => repository('Page')

const LIVE = { site: 's', state: 'live', rank: '1.50' }

export const indexCases: Cases = {
  'a deleted row gives its unique value free, and does not come back while another has it': async (context) => {
    const pages = pagesOf(context)
    await pages.create({ slug: 'a', site: 'first' })
    await violates(() => pages.create({ slug: 'a', site: 'second' }), ['slug'])
    assert.equal(await pages.deleteOne({ slug: 'a' }), true)
    const second = await pages.create({ slug: 'a', site: 'second' })
    assert.equal(await pages.delete({ slug: 'a' }), 1)
    await pages.create({ slug: 'a', site: 'third' })
    assert.equal((await pages.findOne({ slug: 'a' }))?.site, 'third')
    assert.equal(await pages.withDeleted().count({ slug: 'a' }), 3)
    await violates(() => pages.restore({ id: second.id }), ['slug'])
    assert.equal(await pages.updateMany({ slug: 'a' }, { slug: 'b' }), 1)
    assert.equal(await pages.restore({ id: second.id }), 1)
    assert.deepEqual(column(await pages.find({}, { order: [['slug', 'ASC']] }), 'site'), ['second', 'third'])
    await violates(() => pages.updateOne({ slug: 'b' }, { slug: 'a' }), ['slug'])
  },
  'an index of some rows refuses equal values among these, as its criteria say': async (context) => {
    const pages = pagesOf(context)
    const page = (slug: string, values: object) => ({ slug, key: 'k', ...LIVE, ...values })
    await pages.createMany([page('a', {}), page('b', { rank: '1.49' }), page('c', { state: 'draft' })])
    await pages.createMany([page('d', { rank: null }), page('e', { rank: '1.49' }), page('f', { state: 'Live' })])
    await violates(() => pages.create(page('g', {})), ['site', 'key'])
    await violates(() => pages.create(page('g', { rank: 2 })), ['site', 'key'])
    await violates(() => pages.updateOne({ slug: 'c' }, { state: 'live' }), ['site', 'key'])
    await violates(() => pages.increment({ slug: 'b' }, 'rank', '0.01'), ['site', 'key'])
    assert.equal(await pages.updateMany({ slug: 'a' }, { state: 'draft' }), 1)
    assert.equal((await pages.updateOne({ slug: 'c' }, { state: 'live' }))?.state, 'live')
    assert.deepEqual(column(await pages.find({ state: 'live', rank: { $gte: '1.50' } }), 'slug'), ['c'])
    assert.equal(await pages.count({ rank: { $gte: '1.50' }, key: 'k' }), 3)
  },
  'upsert by a field that is unique among present rows passes over deleted ones': async (context) => {
    const pages = pagesOf(context)
    const gone = await pages.create({ slug: 'a', site: 'gone' })
    await pages.deleteOne({ slug: 'a' })
    const rows = await atOnce(20, (count) => pages.upsert({ slug: 'a' }, { site: `s${count}` }))
    assert.equal(new Set(column(rows, 'id')).size, 1)
    assert.notEqual(rows[0]?.id, gone.id)
    assert.equal(await pages.withDeleted().count({ slug: 'a' }), 2)
    assert.equal((await pages.withDeleted().upsert({ slug: 'a' }, { site: 'late' })).id, rows[0]?.id)
    const changed = await pages.upsert({ slug: 'a' }, { site: 'changed' }, { update: true })
    assert.deepEqual([changed.id, changed.site], [rows[0]?.id, 'changed'])
    assert.equal((await pages.withDeleted().findOne({ id: gone.id }))?.site, 'gone')
    assert.equal((await pages.findOne({ slug: 'a' }, { cache: 'request' }))?.id, rows[0]?.id)
    await refused(() => pages.withDeleted().findOne({ slug: 'a' }, { cache: 'request' }), 'SVC_ORM_CRITERIA', 400)
  },
  'upsert by other unique fields of some rows needs a row of these': async (context) => {
    const pages = pagesOf(context)
    const key = { site: 's', key: 'k' }
    for (const values of [{}, { ...LIVE, rank: '1.49' }, { ...LIVE, state: 'draft' }, { state: 'live' }])
      await refused(() => pages.upsert(key, { slug: 'x', ...values }), 'SVC_ORM_VALUE', 400)
    await pages.create({ slug: 'a', ...key, state: 'draft' })
    const live = await pages.upsert(key, { slug: 'b', state: 'live', rank: 3 })
    assert.equal(live.slug, 'b')
    assert.equal((await pages.upsert(key, { slug: 'c', state: 'live', rank: 4 })).id, live.id)
    const changed = await pages.upsert(key, { slug: 'c', state: 'live', rank: 4 }, { update: true })
    assert.deepEqual([changed.id, changed.slug], [live.id, 'c'])
    await refused(() => pages.findOne(key, { cache: 'request' }), 'SVC_ORM_CRITERIA', 400)
    assert.equal(await pages.count(key), 2)
  }
}

/** Equal in any case; `ß` and `ı` are letters of their own. */
const IN_ANY_CASE: readonly (readonly [held: string, others: readonly string[], different: readonly string[]])[] = [
  ['Ada', ['ADA', 'ada'], ['Ad', 'Adaa', 'A%a', 'A_a', 'Àda']],
  ['ÉCOLE Ωμέγα', ['école ωμέγα'], ['ecole ωμέγα']],
  ['Привет', ['ПРИВЕТ'], ['привёт']],
  ['straße', ['STRAßE'], ['strasse']],
  ["it's 100% \\", ["IT'S 100% \\"], ['it']]
]

export const foldedCases: Cases = {
  'text is unique in any case of every alphabet, and is found so': async (context) => {
    const pages = pagesOf(context)
    for (const [place, [held, others, different]] of IN_ANY_CASE.entries()) {
      const row = await pages.create({ slug: `s${place}`, title: held })
      for (const title of [held, ...others]) {
        await violates(() => pages.create({ slug: 'x', title }), ['site', 'title'])
        assert.deepEqual(column(await pages.find({ title: { $ieq: title } }), 'id'), [row.id], title)
      }
      for (const title of different) assert.equal(await pages.findOne({ title: { $ieq: title } }), null, title)
      await pages.create({ slug: `o${place}`, title: different[0] })
      assert.equal(await pages.count({ title: { $ieq: held }, site: 's' }), 1)
    }
    assert.equal(await pages.count({ $not: { title: { $ieq: 'ADA' } } }), 2 * IN_ANY_CASE.length - 1)
  },
  'rows show the field as it was written, and nothing else': async (context) => {
    const pages = pagesOf(context)
    const made = await pages.create({ slug: 'a', title: 'Ada', mail: 'Ada@Example.org' })
    const names = Object.keys(made).sort()
    assert.ok(!names.includes('titleFolded'))
    const [upserted, found, one] = [
      await pages.upsert({ slug: 'a' }, {}),
      await pages.find({}, { order: [['title', 'ASC']] }),
      await pages.findOne({ mail: { $ieq: 'ADA@EXAMPLE.ORG' } })
    ]
    for (const row of [upserted, ...found, one, await pages.findOneAndDelete({ slug: 'a' })])
      assert.deepEqual([Object.keys(row ?? {}).sort(), row?.title], [names, 'Ada'])
    const [selected] = await pages.withDeleted().find({}, { select: ['title'] })
    assert.deepEqual(Object.keys(selected ?? {}).sort(), ['id', 'title'])
  },
  'what is changed is found under its new text alone': async (context) => {
    const pages = pagesOf(context)
    const [a, b] = await pages.createMany([
      { slug: 'a', title: 'Ada', mail: 'ada@x.org' },
      { slug: 'b', title: 'Bob', mail: 'bob@x.org' }
    ])
    await violates(() => pages.updateOne({ id: b?.id as string }, { title: 'aDA' }), ['site', 'title'])
    await violates(() => pages.updateMany({ slug: 'b' }, { mail: 'ADA@x.org' }), ['mail'])
    await violates(() => pages.createMany([{ slug: 'c' }, { slug: 'd', mail: 'BOB@X.org' }]), ['mail'])
    assert.equal((await pages.updateOne({ id: a?.id as string }, { title: 'Zoe' }))?.title, 'Zoe')
    assert.equal(await pages.exists({ title: { $ieq: 'ada' } }), false)
    assert.equal(await pages.updateMany({ title: { $ieq: 'ZOE' } }, { title: null, mail: null }), 1)
    assert.equal(await pages.count({ $or: [{ title: { $ieq: 'zoe' } }, { mail: { $ieq: 'ada@x.org' } }] }), 0)
    assert.equal((await pages.updateOne({ slug: 'b' }, { title: 'Ada', mail: 'ADA@X.ORG' }))?.title, 'Ada')
    assert.equal(await pages.delete({ title: { $ieq: 'ADA' } }), 1)
    await pages.create({ slug: 'c', title: 'ada' })
    await violates(() => pages.restore({ slug: 'b' }), ['site', 'title'])
  },
  '$ieq wants text, and a field that an index folds; a folded index is no key of upsert': async (context) => {
    const pages = pagesOf(context)
    for (const given of [null, 5, ['a'], undefined, { $eq: 'a' }, 'half \ud800'])
      await refused(() => pages.find({ title: { $ieq: given as string } }), 'SVC_ORM_CRITERIA', 400)
    await refused(() => pages.find({ slug: { $ieq: 'a' } }), 'SVC_ORM_CRITERIA', 400)
    await refused(() => pages.find({ titleFolded: 'a' } as never), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => pages.find({}, { order: [['titleFolded', 'ASC']] } as never), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => pages.upsert({ mail: 'a@x.org' }, { slug: 'a' }), 'SVC_ORM_CRITERIA', 400)
  }
}

async function violates(call: () => Promise<unknown>, fields: readonly string[]): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof UniqueViolation)
    assert.deepEqual([error.entity, [...error.fields].sort()], ['Page', [...fields].sort()])
    return true
  })
}
