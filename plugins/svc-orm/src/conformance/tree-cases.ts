/** Rows that are trees: what is below and above them, and the writes that would break a tree. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

/** As many as a tree has levels. */
const LEVELS = 100

/** Rows by name, each below the one that it names. @param above parents before children */
async function planted(rows: Repository, above: Readonly<Record<string, string | null>>, field = 'parentId') {
  const ids: Record<string, string> = {}
  for (const [name, parent] of Object.entries(above)) {
    const { id } = await rows.create({ name, [field]: parent === null ? null : ids[parent] })
    ids[name] = id
  }
  return (name: string): string => ids[name] as string
}

/** `europe` above `italy` (`rome` above `trastevere`, `lazio`) and `france`; `asia` above `japan`. */
async function regions({ repository }: CaseContext) {
  const rows = repository('Region')
  const id = await planted(rows, {
    ...{ europe: null, italy: 'europe', rome: 'italy', trastevere: 'rome', lazio: 'italy', france: 'europe' },
    ...{ asia: null, japan: 'asia' }
  })
  const towns = repository('Town')
  await towns.createMany(
    ['rome', 'trastevere', 'france', 'japan'].map((name) => ({ name: `in ${name}`, regionId: id(name) }))
  )
  await towns.create({ name: 'nowhere' })
  const found = async (criteria: object, view = rows) =>
    column(await view.find(criteria as never, { order: [['name', 'ASC']] } as never), 'name').join(' ')
  return { rows, towns, id, found }
}

/** A chain of so many levels. @returns the ids, the root first */
async function chain(rows: Repository, levels: number, field: string): Promise<string[]> {
  const ids: string[] = []
  for (let level = 0; level < levels; level += 1) {
    const { id } = await rows.create({ name: `level ${level}`, [field]: ids.at(-1) ?? null })
    ids.push(id)
  }
  return ids
}

function named(rows: readonly AnyRow[]): string {
  return column(rows, 'name').join(' ')
}

const BY_NAME = { order: [['name', 'ASC']] } as const

export const treeCases: Cases = {
  'descendants come with parents before children, each level in its order': async (context) => {
    const { rows, id } = await regions(context)
    assert.equal(named(await rows.descendants(id('europe'))), 'italy france rome lazio trastevere')
    assert.equal(named(await rows.descendants(id('europe'), BY_NAME as never)), 'france italy lazio rome trastevere')
    assert.equal(named(await rows.descendants(id('europe'), { maxDepth: 1 })), 'italy france')
    assert.equal(named(await rows.descendants(id('italy'), { self: true, maxDepth: 1 })), 'italy rome lazio')
    assert.deepEqual(await rows.descendants(id('japan')), [])
    assert.deepEqual(await rows.descendants(context.connector.ids.generate()), [])
  },
  'ancestors come from the root to the parent': async (context) => {
    const { rows, id } = await regions(context)
    assert.equal(named(await rows.ancestors(id('trastevere'))), 'europe italy rome')
    assert.equal(named(await rows.ancestors(id('trastevere'), { self: true })), 'europe italy rome trastevere')
    assert.equal(named(await rows.ancestors(id('trastevere'), { maxDepth: 2 })), 'italy rome')
    assert.deepEqual(await rows.ancestors(id('europe')), [])
  },
  'rows of a tree carry how far they are away, and what a find loads': async (context) => {
    const { rows, id } = await regions(context)
    const below = await rows.descendants(id('europe'), {
      ...{ self: true, depthAs: 'level', select: ['name'] },
      ...BY_NAME
    } as never)
    const row = (name: string, level: number) => ({ id: id(name), name, level })
    assert.deepEqual(
      below.map((each) => ({ ...each })),
      [
        row('europe', 0),
        ...[row('france', 1), row('italy', 1)],
        ...[row('lazio', 2), row('rome', 2)],
        row('trastevere', 3)
      ]
    )
    const above = await rows.ancestors(id('rome'), {
      ...{ depthAs: 'away', relations: ['parent'], counts: { regions: true } }
    } as never)
    assert.deepEqual(
      above.map(({ name, away, parent, counts }) => [name, away, parent?.name ?? null, counts.regions]),
      [
        ['europe', 2, null, 2],
        ['italy', 1, 'europe', 2]
      ]
    )
  },
  'criteria find rows within a part of a tree, and on the path to a row': async (context) => {
    const { rows, towns, id, found } = await regions(context)
    assert.equal(await found({ $within: id('italy') }), 'italy lazio rome trastevere')
    assert.equal(await found({ $within: { name: 'italy' } }), 'italy lazio rome trastevere')
    assert.equal(await found({ $within: { name: 'europe', $depth: 1 } }), 'europe france italy')
    assert.equal(await found({ $within: { name: { $in: ['rome', 'asia'] } } }), 'asia japan rome trastevere')
    assert.equal(await found({ $within: id('italy'), name: { $ne: 'italy' } }), 'lazio rome trastevere')
    assert.equal(await found({ $pathTo: id('rome') }), 'europe italy rome')
    assert.equal(await found({ $pathTo: { name: 'rome', $depth: 1 } }), 'italy rome')
    assert.equal(await found({ $within: { parent: null, name: 'asia' } }), 'asia japan')
    assert.equal(await found({ $not: { $within: id('europe') } }), 'asia japan')
    assert.equal(await found({ $or: [{ $within: id('asia') }, { $pathTo: id('italy') }] }), 'asia europe italy japan')
    assert.equal(await found({ parent: { $within: id('italy') } }), 'lazio rome trastevere')
    assert.equal(await found({ regions: { $within: id('rome') } }), 'italy rome')
    const placed = async (criteria: object) => named(await towns.find(criteria as never, BY_NAME as never))
    assert.equal(await placed({ region: { $within: id('italy') } }), 'in rome in trastevere')
    assert.equal(
      await placed({ region: { $within: { name: 'europe' }, name: { $ne: 'rome' } } }),
      'in france in trastevere'
    )
    assert.equal(await placed({ region: { $pathTo: id('trastevere') } }), 'in rome in trastevere')
    assert.equal(await placed({ region: { $within: id('europe'), $exists: false } }), 'in japan nowhere')
    assert.equal(await placed({ $not: { region: { $within: id('europe') } } }), 'in japan nowhere')
    assert.equal(await towns.count({ region: { $within: id('asia') } }), 1)
    assert.equal(await rows.exists({ $within: id('asia'), name: 'rome' }), false)
    const page = await rows.page({ $within: id('europe') }, { ...BY_NAME, limit: 2 } as never)
    const rest = await rows.page({ $within: id('europe') }, { ...BY_NAME, after: page.next ?? '' } as never)
    assert.equal(`${named(page.items)} | ${named(rest.items)}`, 'europe france | italy lazio rome trastevere')
    assert.equal(await rows.updateMany({ $within: id('italy') }, { size: 7 }), 4)
    assert.deepEqual(await rows.aggregate({ $within: id('europe') }, { sum: { sum: 'size' } } as never), { sum: 28 })
  },
  'what is no walk is refused': async (context) => {
    const { rows, towns, id } = await regions(context)
    for (const given of [null, undefined, 7, [], [id('rome')], {}, { $depth: 2 }]) {
      await refused(() => rows.find({ $within: given }), 'SVC_ORM_CRITERIA', 400)
    }
    for (const $depth of [0, -1, 1.5, LEVELS + 1, '1', null]) {
      await refused(() => rows.find({ $pathTo: { name: 'rome', $depth } }), 'SVC_ORM_CRITERIA', 400)
    }
    await refused(() => rows.find({ $within: { nonsense: 1 } }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => towns.find({ $within: id('rome') }), 'SVC_ORM_CRITERIA', 400)
    await refused(() => towns.descendants(id('rome')), 'SVC_ORM_CRITERIA', 400)
    await refused(() => rows.descendants({ name: 'rome' } as never), 'SVC_ORM_CRITERIA', 400)
    const options = [
      ...[{ limit: 1 }, { offset: 1 }, { lock: 'update' }, { self: 1 }, { maxDepth: 0 }, { maxDepth: LEVELS + 1 }],
      ...[{ depthAs: 'name' }, { depthAs: 'parent' }, { depthAs: '' }, { depthAs: 1 }, { nonsense: 1 }]
    ]
    for (const each of options)
      await refused(() => rows.descendants(id('italy'), each as never), 'SVC_ORM_OPTIONS', 400)
    await refused(() => rows.descendants(id('italy'), null as never), 'SVC_ORM_OPTIONS', 400)
    await refused(() => rows.ancestors(id('italy'), BY_NAME as never), 'SVC_ORM_OPTIONS', 400)
  },
  'a deleted row hides what is below it, unless deleted rows are asked for': async (context) => {
    const { rows, towns, id, found } = await regions(context)
    await rows.deleteOne({ id: id('italy') })
    assert.equal(await found({ $within: id('europe') }), 'europe france')
    assert.equal(await found({ $within: id('italy') }), '')
    assert.equal(await found({ $within: id('rome') }), 'rome trastevere')
    assert.equal(named(await rows.ancestors(id('trastevere'))), 'rome')
    assert.equal(await towns.count({ region: { $within: id('europe') } }), 1)
    const all = rows.withDeleted()
    assert.equal(await found({ $within: id('europe') }, all), 'europe france italy lazio rome trastevere')
    assert.equal(named(await all.ancestors(id('trastevere'))), 'europe italy rome')
    assert.equal(await rows.restore({ id: id('italy') }), 1)
    assert.equal(await found({ $within: id('italy') }), 'italy lazio rome trastevere')
  },
  'a subtree moves with its row': async (context) => {
    const { rows, id, found } = await regions(context)
    assert.equal((await rows.updateOne({ id: id('rome') }, { parentId: id('japan') }))?.parentId, id('japan'))
    assert.equal(await found({ $within: id('asia') }), 'asia japan rome trastevere')
    assert.equal(await found({ $within: id('europe') }), 'europe france italy lazio')
    assert.equal(await rows.updateMany({ name: { $in: ['rome', 'italy'] } }, { parentId: null }), 2)
    assert.equal(await found({ parentId: null }), 'asia europe italy rome')
    assert.equal(await rows.updateMany({ name: 'nowhere' }, { parentId: id('rome') }), 0)
    assert.equal(await rows.updateOne({ name: 'nowhere' }, { parentId: id('rome') }), null)
  },
  'a row never comes below itself': async (context) => {
    const { rows, id, found } = await regions(context)
    const cycle = (call: () => Promise<unknown>) => refused(call, 'SVC_ORM_TREE_CYCLE', 409)
    for (const below of ['italy', 'rome', 'trastevere']) {
      await cycle(() => rows.updateOne({ id: id('italy') }, { parentId: id(below) }))
      await cycle(() => rows.updateMany({ name: { $in: ['japan', 'italy'] } }, { parentId: id(below) }))
    }
    assert.equal(await found({ $within: id('europe') }), 'europe france italy lazio rome trastevere')
    assert.equal(await found({ $within: id('asia') }), 'asia japan')
    const [one, two] = [context.connector.ids.generate(), context.connector.ids.generate()]
    await cycle(() => rows.create({ id: one, name: 'own', parentId: one }))
    await cycle(() =>
      rows.createMany([
        { id: one, name: 'one', parentId: two },
        { id: two, name: 'two', parentId: one }
      ])
    )
    await rows.createMany([
      { id: two, name: 'two', parentId: one },
      { id: one, name: 'one', parentId: id('asia') }
    ])
    assert.equal(await found({ $within: id('asia') }), 'asia japan one two')
    // Deleted rows are part of the tree.
    await rows.deleteOne({ id: id('rome') })
    await cycle(() => rows.updateOne({ id: id('italy') }, { parentId: id('trastevere') }))
    const topics = context.repository('Topic')
    const [top, sub] = [await topics.create({ name: 'top', code: 't' }), { name: 'sub' }]
    const { id: subId } = await topics.create({ ...sub, aboveId: top.id })
    await cycle(() => topics.upsert({ code: 't' }, { name: 'top' }, { update: { aboveId: subId } } as never))
    assert.equal((await topics.upsert({ code: 't' }, { name: 'x', aboveId: subId })).name, 'top')
    const made = await topics.upsert({ code: 'u' }, { name: 'u', aboveId: subId }, {
      update: { aboveId: top.id }
    } as never)
    assert.equal(made.aboveId, subId)
    const changed = await topics.upsert({ code: 'u' }, { name: 'u' }, { update: { aboveId: top.id } } as never)
    assert.equal(changed.aboveId, top.id)
  },
  'a tree has a bounded number of levels': async ({ repository }) => {
    const rows = repository('Region')
    const deep = (call: () => Promise<unknown>) => refused(call, 'SVC_ORM_TREE_DEPTH', 409)
    const ids = await chain(rows, LEVELS, 'parentId')
    const [root, last] = [ids[0] as string, ids.at(-1) as string]
    await deep(() => rows.create({ name: 'too deep', parentId: last }))
    assert.equal((await rows.descendants(root)).length, LEVELS - 1)
    assert.equal((await rows.ancestors(last, { depthAs: 'level' } as never))[0]?.level, LEVELS - 1)
    const { id: other } = await rows.create({ name: 'other' })
    const { id: under } = await rows.create({ name: 'under', parentId: other })
    await deep(() => rows.updateOne({ id: root }, { parentId: other }))
    await deep(() => rows.updateOne({ id: other }, { parentId: ids.at(-2) as string }))
    assert.equal((await rows.updateOne({ id: other }, { parentId: ids.at(-3) as string }))?.parentId, ids.at(-3))
    assert.equal((await rows.ancestors(under)).length, LEVELS - 1)
  },
  'a subtree is deleted as a whole where its reference says so': async ({ repository }) => {
    const topics = repository('Topic')
    const id = await planted(topics, { a: null, b: 'a', c: 'b', d: 'a', e: null, f: 'e' }, 'aboveId')
    assert.deepEqual({ ...(await topics.deleteOwned({ id: id('a') })) }, { Topic: 4 })
    assert.equal(named(await topics.find({}, BY_NAME as never)), 'e f')
    assert.equal(await topics.delete({ id: id('e') }), 1)
    assert.equal(await topics.count(), 0)
    const again = await planted(topics, { a: null, b: 'a', c: 'b', d: 'c' }, 'aboveId')
    assert.deepEqual({ ...(await topics.deleteOwned({ id: again('a') }, { batchSize: 1 })) }, { Topic: 4 })
  }
}

export const treeInTransactionCases: Cases = {
  'of many rows that move, each to its own place, none closes a circle': async (context) => {
    const { rows, id, found } = await regions(context)
    const circle = () =>
      rows.updateEach([
        { id: id('italy'), parentId: id('asia') },
        { id: id('asia'), parentId: id('rome') }
      ])
    await refused(circle, 'SVC_ORM_TREE_CYCLE', 409)
    assert.equal(await found({ $within: id('italy') }), 'italy lazio rome trastevere')
    await rows.updateEach([
      { id: id('italy'), parentId: id('asia') },
      { id: id('rome'), parentId: id('japan') }
    ])
    assert.equal(await found({ $pathTo: id('trastevere') }), 'asia japan rome trastevere')
  },
  'of moves at once that would close a circle together, one is refused': async (context) => {
    const { rows } = await regions(context)
    for (let round = 0; round < 5; round += 1) {
      const [one, two, three] = await rows.createMany(['one', 'two', 'three'].map((name) => ({ name })))
      const [a, b, c] = [one?.id as string, two?.id as string, three?.id as string]
      const moves = await Promise.allSettled([
        rows.updateOne({ id: a }, { parentId: b }),
        rows.withTransaction((inside) => inside.updateOne({ id: b }, { parentId: c })),
        rows.updateMany({ id: c }, { parentId: a })
      ])
      const codes = moves.flatMap((move) => (move.status === 'rejected' ? [move.reason.code] : []))
      assert.ok(codes.length > 0)
      for (const code of codes) assert.match(String(code), /^SVC_ORM_(TREE_CYCLE|CONFLICT)$/)
      const above = new Map((await rows.find({ id: [a, b, c] })).map((row) => [row.id, row.parentId as string | null]))
      for (const id of [a, b, c]) {
        let at = above.get(id) ?? null
        for (let steps = 0; at !== null; steps += 1) {
          assert.ok(steps < 3, 'a circle')
          at = above.get(at) ?? null
        }
      }
    }
  },
  'a refused move undoes its transaction': async (context) => {
    const { rows, id, found } = await regions(context)
    const work = rows.withTransaction(async (inside) => {
      await inside.updateOne({ id: id('japan') }, { parentId: id('europe') })
      await inside.updateOne({ id: id('europe') }, { parentId: id('japan') })
    })
    await refused(() => work, 'SVC_ORM_TREE_CYCLE', 409)
    assert.equal(await found({ $within: id('asia') }), 'asia japan')
  }
}
