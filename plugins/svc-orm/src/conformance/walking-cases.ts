/** Many rows, one part after the other: pages that the last row of the one before begins, and streams. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { Repository } from '../repository/repository.ts'
import { type Cases, column, refused } from './conformance-suite.ts'

async function pages(rows: Repository, criteria: object, options: object): Promise<AnyRow[][]> {
  const found: AnyRow[][] = []
  for (let after: string | undefined; ; ) {
    const { items, next } = await rows.page({ ...criteria }, { ...options, after })
    found.push(items)
    if (next === null) return found
    after = next
  }
}

async function all(rows: AsyncIterable<AnyRow>): Promise<AnyRow[]> {
  const taken: AnyRow[] = []
  for await (const row of rows) taken.push(row)
  return taken
}

export const walkingCases: Cases = {
  'pages in any order, each row once, to the end': async ({ pairs }) => {
    await pairs.createMany(Array.from({ length: 7 }, (_, index) => ({ left: `l${index}`, visits: index % 3 })))
    const order = [
      ['visits', 'DESC'],
      ['left', 'ASC']
    ] as const
    const walked = await pages(pairs, {}, { order, limit: 3 })
    assert.deepEqual(
      walked.map((items) => column(items, 'left')),
      [['l2', 'l5', 'l1'], ['l4', 'l0', 'l3'], ['l6']]
    )
    const descending = await pages(
      pairs,
      { visits: [1, 2] },
      {
        order: [
          ['visits', 'DESC'],
          ['id', 'DESC']
        ],
        limit: 2
      }
    )
    assert.deepEqual(
      descending.flatMap((items) => column(items, 'left')),
      ['l5', 'l2', 'l4', 'l1']
    )
    const byTime = await pages(pairs, {}, { order: [['createdAt', 'ASC']], limit: 4 })
    assert.equal(new Set(byTime.flat().map(({ id }) => id)).size, 7)
    assert.deepEqual(await pages(pairs, { left: 'nobody' }, {}), [[]])
    const { items, next } = await pairs.page({}, { limit: 7 })
    assert.deepEqual([items.length, next], [7, null], 'a page that holds the last row knows it')
  },
  'M4: pages in each mixture of directions meet each row once, in the order of a whole list': async ({ pairs }) => {
    await pairs.createMany(
      Array.from({ length: 24 }, (_, index) => ({ left: `l${index % 2}`, right: `r${index}`, visits: index % 3 }))
    )
    const directions = ['ASC', 'DESC'] as const
    for (const first of directions) {
      for (const second of directions) {
        for (const third of [undefined, ...directions]) {
          const order = [
            ['visits', first],
            ['left', second],
            ...(third === undefined ? [] : [['id', third] as const])
          ] as const
          const ties = third === undefined ? [['id', second] as const] : []
          const whole = column(await pairs.find({}, { order: [...order, ...ties] }), 'id')
          const walked = (await pages(pairs, {}, { order, limit: 5 })).flatMap((items) => column(items, 'id'))
          assert.deepEqual(walked, whole, JSON.stringify(order))
          assert.equal(new Set(walked).size, 24)
        }
      }
    }
  },
  'M4: pages behind a place that an earlier version gave keep its order, where ties ascend': async ({ pairs }) => {
    await pairs.createMany(Array.from({ length: 6 }, (_, index) => ({ left: `l${index}`, visits: index < 3 ? 1 : 2 })))
    const ids = column(await pairs.find({}, { order: [['left', 'ASC']] }), 'id')
    const given = { by: ['visits DESC', 'id ASC'], at: [2, ids[3]] }
    const after = Buffer.from(JSON.stringify(given)).toString('base64url')
    const options = { order: [['visits', 'DESC']], limit: 2 } as const
    const second = await pairs.page({}, { ...options, after })
    assert.deepEqual(column(second.items, 'left'), ['l4', 'l5'])
    const third = await pairs.page({}, { ...options, after: second.next ?? undefined })
    assert.deepEqual(column(third.items, 'left'), ['l0', 'l1'])
    const last = await pairs.page({}, { ...options, after: third.next ?? undefined })
    assert.deepEqual([column(last.items, 'left'), last.next], [['l2'], null])
    // What was asked for by name is another order.
    const named = { order: [...options.order, ['id', 'DESC']], after } as const
    await refused(() => pairs.page({}, named), 'SVC_ORM_OPTIONS', 400)
  },
  'rows that come and go between two pages shift nothing': async ({ pairs }) => {
    await pairs.createMany(Array.from({ length: 6 }, (_, index) => ({ left: `l${index}` })))
    const order = [['left', 'ASC']] as const
    const first = await pairs.page({}, { order, limit: 3 })
    await pairs.delete({ left: ['l0', 'l2'] })
    await pairs.create({ left: 'a before all' })
    const second = await pairs.page({}, { order, limit: 3, after: first.next ?? undefined })
    assert.deepEqual(column(second.items, 'left'), ['l3', 'l4', 'l5'])
  },
  'with relations, and a part of the fields': async ({ authors, books }) => {
    const { id } = await authors.create({ name: 'Ada' })
    await books.createMany(['a', 'b', 'c'].map((title) => ({ title, authorId: id })))
    const options = { order: [['title', 'ASC']], select: ['authorId'], include: { author: true }, limit: 2 } as const
    const { items, next } = await books.page({}, options)
    assert.deepEqual(
      items.map((row) => Object.keys(row).sort()),
      Array(2).fill(['author', 'authorId', 'id'])
    )
    const rest = await books.page({ 'author.name': 'Ada' }, { ...options, after: next ?? undefined })
    assert.equal(rest.items.length, 1)
    const bare = await all(books.stream({}, { select: [], order: [['title', 'DESC']] }))
    assert.deepEqual(
      bare.map((row) => Object.keys(row)),
      Array(3).fill(['id'])
    )
  },
  'a place that the order did not give is refused': async ({ pairs }) => {
    await pairs.createMany([{ left: 'a' }, { left: 'b' }])
    const { next } = await pairs.page({}, { order: [['left', 'ASC']], limit: 1 })
    const encoded = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
    const wrong = ['', 'x', 5, {}, encoded([]), encoded({ by: ['left ASC', 'id ASC'], at: [1, 'x'] })]
    for (const after of [...wrong, encoded({ by: ['left ASC', 'id ASC'], at: ['a', { $gt: '' }] }), encoded(null)]) {
      const call = () => pairs.page({}, { order: [['left', 'ASC']], after: after as string })
      await refused(call, 'SVC_ORM_OPTIONS', 400)
    }
    await refused(() => pairs.page({}, { order: [['left', 'DESC']], after: next ?? '' }), 'SVC_ORM_OPTIONS', 400)
    await refused(() => pairs.page({}, { after: next ?? '' }), 'SVC_ORM_OPTIONS', 400)
    for (const options of [{ order: [['right', 'ASC']] }, { offset: 1 }, { lock: 'update' }, { limit: -1 }]) {
      await refused(() => pairs.page({}, options as never), 'SVC_ORM_OPTIONS', 400)
    }
  },
  'a stream has all rows, in its order, and ends when it is left': async ({ things }) => {
    const rows = Array.from({ length: 2500 }, (_, count) => ({ count: 2499 - count, label: `l${count % 2}` }))
    await things.createMany(rows)
    const streamed = await all(things.stream({ label: 'l1' }, { order: [['count', 'ASC']] }))
    assert.deepEqual(
      column(streamed, 'count'),
      Array.from({ length: 1250 }, (_, index) => 2 * index)
    )
    assert.equal((await all(things.stream())).length, 2500)
    const taken: AnyRow[] = []
    for await (const row of things.stream()) {
      taken.push(row)
      if (taken.length === 3) break
    }
    assert.equal(taken.length, 3)
    await refused(() => all(things.stream({}, { order: [['label', 'ASC']] })), 'SVC_ORM_OPTIONS', 400)
    await refused(() => all(things.stream({}, { limit: 1 } as never)), 'SVC_ORM_OPTIONS', 400)
    await refused(() => all(things.stream({ nope: 1 })), 'SVC_ORM_UNKNOWN_FIELD', 400)
  }
}
