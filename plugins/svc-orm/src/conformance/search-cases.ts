/** Cases of `$search`: which rows it finds is the same everywhere; of ranks only clear orders are expected. */
import assert from 'node:assert/strict'
import type { Criteria } from '../criteria/criteria.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { refused, undo } from './conformance-suite.ts'
import type { SearchCases, SearchContext } from './search-fixtures.ts'

/** Texts by the code of their article; a text alone is the title. */
const ARTICLES: Readonly<Record<string, readonly [title: string | null, text?: string | null]>> = {
  a: ['Red chair', 'Solid oak. Fits every table!'],
  b: ['Red table', 'For six chairs; 120 cm × 80.5 cm'],
  c: ['Stühle, groß', 'DREIFACH in der Straße von Århus'],
  d: ['T-Shirt "Größe" 42', "Don't wash at 60°C"],
  e: ['ΟΔΟΣ σοφία', 'Ёлка й Łódź'],
  f: ['हिन्दी शब्द', '日本語テキスト ﬁne ①'],
  g: [null, 'nothing but a text: OR NOT AND near chair*'],
  h: ['!!! — …', null],
  i: [null, null]
}

async function stored({ articles }: SearchContext): Promise<void> {
  await articles.createMany(Object.entries(ARTICLES).map(([code, [title, text = null]]) => ({ code, title, text })))
}

async function codes({ articles }: SearchContext, criteria: Criteria<AnyRow>): Promise<string> {
  const rows = await articles.find(criteria, { order: [['code', 'ASC']] })
  return rows.map(({ code }) => String(code)).join('')
}

export const searchCases: SearchCases = {
  'finds rows with every word, without regard to case, accents and punctuation': async (context) => {
    await stored(context)
    const expected: readonly [search: string, codes: string][] = [
      ['red', 'ab'],
      ['RED Chair', 'a'],
      ['chair red', 'a'],
      ['red table', 'ab'],
      ['table chairs', 'b'],
      ['hair', ''],
      ['stuhle', 'c'],
      ['STÜHLE gross', 'c'],
      ['strasse', 'c'],
      ['STRASSE arhus', 'c'],
      ['größe 42', 'd'],
      ['grosse', 'd'],
      ['tshirt', ''],
      ['t-shirt', 'd'],
      ['shirt t', 'd'],
      ["don't", 'd'],
      ['dont', ''],
      ['60', 'd'],
      ['6', ''],
      ['120', 'b'],
      ['80,5', 'b'],
      ['80.5 cm', 'b'],
      ['οδος', 'e'],
      ['ΣΟΦΙΑ', 'e'],
      ['елка и', 'e'],
      ['łodz', 'e'],
      ['lodz', ''],
      ['हिन्दी', 'f'],
      ['हिन', ''],
      ['日本語テキスト', 'f'],
      ['日本語', ''],
      ['fine 1', 'f'],
      ['red red RED', 'ab']
    ]
    for (const [search, found] of expected) assert.equal(await codes(context, { $search: search }), found, search)
  },
  'a last word with * is the beginning of words; no other character means anything': async (context) => {
    await stored(context)
    const expected: readonly [search: string, codes: string][] = [
      ['cha*', 'abg'],
      ['chair*', 'abg'],
      ['red ch*', 'ab'],
      ['re* chair', ''],
      ['chairsx*', ''],
      ['日本*', 'f'],
      ['हिन*', 'f'],
      ['4* ', 'd'],
      ['*chair', 'ag'],
      ['chair * ', 'ag'],
      ['"red chair"', 'a'],
      ['-red', 'ab'],
      ['red -chair', 'a'],
      ['red OR stuhle', ''],
      ['red | stuhle', ''],
      ['red & !table', 'ab'],
      ['or not and', 'g'],
      ['chair NEAR nothing', 'g'],
      ['(red', 'ab'],
      ["red'); --", 'ab'],
      ['red:*', 'ab'],
      ['title:red', ''],
      ['r?d', ''],
      ['r%', ''],
      ['{red} ^chair $', 'a'],
      ['red\\ chair\u0000', 'a'],
      ['red\ud800chair', 'a']
    ]
    for (const [search, found] of expected) {
      assert.equal(await codes(context, { $search: search }), found, JSON.stringify(search))
    }
  },
  'refuses what has no words, and too many': async (context) => {
    await stored(context)
    const { articles, shops } = context
    for (const search of ['', '   ', '* ', '"-!?*', '—…', null, undefined, 1, ['red'], {}]) {
      await refused(() => articles.find({ $search: search }), 'SVC_ORM_CRITERIA', 400)
    }
    await refused(() => articles.find({ $search: 'x'.repeat(1001) }), 'SVC_ORM_CRITERIA', 400)
    const words = Array.from({ length: 33 }, (_, index) => `w${index}`)
    await refused(() => articles.count({ $search: words.join(' ') }), 'SVC_ORM_CRITERIA', 400)
    assert.equal(await articles.count({ $search: words.slice(1).join(' ') }), 0)
    await refused(() => shops.find({ articles: { $search: '' } }), 'SVC_ORM_CRITERIA', 400)
  },
  'long texts and long words are stored, and found by their beginning': async (context) => {
    const { articles } = context
    const random = (length: number, from: number) =>
      Array.from({ length }, (_, index) => String.fromCodePoint(from + ((index * 7919) % 20_000))).join('')
    const long = Array.from({ length: 30_000 }, (_, index) => `${random(30, 0x4e00)}${index}`).join(' ')
    await articles.create({ code: 'a', title: 'first', text: `second ${long} last` })
    await articles.create({ code: 'b', text: `${'b'.repeat(100_000)} ${'red '.repeat(50_000)}` })
    assert.equal(await codes(context, { $search: 'first second' }), 'a')
    assert.equal(await codes(context, { $search: `${'b'.repeat(70)} red` }), 'b')
    assert.equal(await articles.updateMany({ $search: 'red' }, { text: 'blue' }), 1)
    assert.equal(await codes(context, { $search: 'red' }), '')
  },
  'beside other criteria, within $or and $not, through relations': async (context) => {
    await stored(context)
    const { articles, shops } = context
    const [oak, pine] = await shops.createMany([{ name: 'The Oak Shop' }, { name: 'Pine & Sons' }])
    await articles.updateMany({ code: ['a', 'c'] }, { shopId: oak?.id })
    await articles.updateMany({ code: 'b' }, { shopId: pine?.id })
    assert.equal(await codes(context, { $search: 'red', code: { $gt: 'a' } }), 'b')
    assert.equal(await codes(context, { $or: [{ $search: 'oak' }, { $search: 'stuhle' }, { code: 'i' }] }), 'aci')
    assert.equal(await codes(context, { $not: { $search: 'red' } }), 'cdefghi')
    assert.equal(await codes(context, { $and: [{ $search: 'red' }, { $search: 'chair' }] }), 'a')
    assert.equal(await codes(context, { shop: { $search: 'shop oak' } }), 'ac')
    assert.equal(await codes(context, { shop: { $search: 'sons' }, $search: 'table' }), 'b')
    const found = await shops.find({ articles: { $search: 'red' } }, { order: [['name', 'ASC']] })
    assert.deepEqual(
      found.map(({ name }) => name as unknown),
      ['Pine & Sons', 'The Oak Shop']
    )
    const [shop] = await shops.find(
      { name: 'The Oak Shop' },
      { include: { articles: { where: { $search: 'red' }, order: [['$rank', 'DESC']] } } }
    )
    assert.deepEqual(
      shop?.articles.map(({ code }: { code: string }) => code),
      ['a']
    )
  },
  'counts, groups, updates and deletes what it finds': async (context) => {
    await stored(context)
    const { articles } = context
    assert.equal(await articles.count({ $search: 'red' }), 2)
    assert.equal(await articles.exists({ $search: 'nowhere' }), false)
    assert.equal(await articles.updateMany({ $search: 'red' }, { stars: { $add: 3 } }), 2)
    const groups = await articles.groupBy({ $search: 'red' }, { by: ['stars'] })
    assert.equal(groups.length, 1)
    assert.equal((await articles.updateOne({ $search: 'oak' }, { title: null }))?.title, null)
    assert.equal(await codes(context, { $search: 'red' }), 'b')
    assert.equal((await articles.findOne({ $search: 'oak' }))?.code, 'a')
    const row = await articles.upsert({ code: 'b' }, { code: 'b', title: 'Green bench' }, { update: true })
    assert.deepEqual([row.title, 'titleWords' in row, 'textWords' in row], ['Green bench', false, false])
    assert.equal(await codes(context, { $search: 'red' }), '')
    assert.equal(await codes(context, { $search: 'bench six' }), 'b')
    assert.equal(await articles.delete({ $search: 'bench' }), 1)
    assert.equal(await articles.count({ $search: 'bench' }), 0)
    assert.equal(await articles.withDeleted().count({ $search: 'bench' }), 1)
    assert.equal(await articles.restore({ $search: 'bench' }), 1)
    assert.equal(await articles.delete({ $search: 'bench' }), 1)
    assert.equal(await articles.purge({ $search: 'bench' }), 1)
    assert.equal(await articles.withDeleted().count({ $search: 'bench' }), 0)
  },
  'no row shows its words': async (context) => {
    const { articles } = context
    const created = await articles.create({ code: 'x', title: 'Red chair', text: 'oak', serial: 2n ** 60n })
    const rows = [
      created,
      await articles.findOne({ code: 'x' }),
      await articles.findOne({ id: created.id }),
      ...(await articles.find({ $search: 'red' })),
      await articles.updateOne({ code: 'x' }, { stars: 1 }),
      await articles.findOneAndDelete({ code: 'x' })
    ]
    const names = ['code', 'deletedAt', 'id', 'serial', 'shopId', 'stars', 'text', 'title']
    for (const row of rows) assert.deepEqual(Object.keys(row ?? {}).sort(), names)
  },
  '$rank orders by how well rows fit, and is read where it is selected': async (context) => {
    const { articles } = context
    const filler = 'one two three four five six seven eight'
    await articles.createMany([
      { code: 'text', title: filler, text: `chair ${filler}`, serial: 2n ** 60n },
      { code: 'title', title: 'chair', text: filler },
      { code: 'often', title: filler, text: 'chair chair chair chair one' },
      { code: 'none', title: filler, text: filler }
    ])
    const order = [['$rank', 'DESC']] as const
    const found = async (criteria: Criteria<AnyRow>, options: object) =>
      (await articles.find(criteria, { order, ...options })).map(({ code }) => code as unknown)
    const chair = { $search: 'chair' }
    assert.equal((await found(chair, {}))[0], 'title', 'the title weighs more')
    assert.deepEqual((await found({ ...chair, code: ['text', 'often'] }, {}))[0], 'often', 'more often is better')
    const all = await found(chair, {})
    assert.deepEqual([...all].sort(), ['often', 'text', 'title'])
    assert.deepEqual([...(await found(chair, { limit: 2 })), ...(await found(chair, { limit: 2, offset: 2 }))], all)
    assert.equal((await found({ $search: 'cha*' }, { limit: 1 }))[0], 'title')
    assert.equal((await articles.findOne(chair, { order }))?.code, 'title')
    const level = await articles.find(chair, {
      order: [
        ['stars', 'ASC'],
        ['$rank', 'ASC']
      ]
    })
    assert.equal(level.at(-1)?.code, 'title')
    const rows = await articles.find(chair, { order, select: ['code', '$rank'] })
    assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), ['$rank', 'code', 'id'])
    const ranks = rows.map(({ $rank }) => Number($rank))
    assert.ok(ranks.every((rank, place) => rank > 0 && rank <= (ranks[place - 1] ?? rank)))
    assert.ok((await articles.find(chair, { order })).every((row) => !('$rank' in row)))
    const [whole] = await articles.find({ ...chair, code: 'text' }, { order })
    assert.deepEqual([whole?.serial, whole?.title], [String(2n ** 60n), filler])
  },
  'rows that fit alike come by their id, page by page': async ({ articles }) => {
    await articles.createMany(Array.from({ length: 9 }, (_, index) => ({ code: `n${index}`, title: 'same chair' })))
    const order = [['$rank', 'DESC']] as const
    const paged: unknown[] = []
    for (let offset = 0; offset < 9; offset += 2) {
      const rows = await articles.find({ $search: 'chair' }, { order, limit: 2, offset })
      paged.push(...rows.map(({ id }) => id))
    }
    assert.deepEqual(paged, [...paged].sort())
    assert.equal(new Set(paged).size, 9)
  },
  '$rank wants a search that every row meets, and orders no pages': async ({ articles, shops }) => {
    const order = [['$rank', 'DESC']] as const
    const invalid = (call: () => Promise<unknown>) => refused(call, 'SVC_ORM_OPTIONS', 400)
    await invalid(() => articles.find({}, { order }))
    await invalid(() => articles.find({ $or: [{ $search: 'a' }, { code: 'b' }] }, { order }))
    await invalid(() => articles.find({ shop: { $search: 'a' } }, { order }))
    await invalid(() => articles.find({ $search: 'a' }, { select: ['$rank'] }))
    await invalid(() => articles.page({ $search: 'a' }, { order }))
    await invalid(() => articles.find({ $search: 'a' }, { order: [['$rank', 'down']] as never }))
    await invalid(() =>
      shops.find({}, { include: { articles: { where: { $search: 'a' }, order: [['$rank', 'DESC']], limit: 1 } } })
    )
  }
}

export const searchInTransactionCases: SearchCases = {
  'rows that are written together, each with its own text, are found by it': async (context) => {
    const { articles } = context
    const [a, b] = await articles.createMany([
      { code: 'a', title: 'red chair' },
      { code: 'b', title: 'red bench' }
    ])
    await articles.updateEach([
      { id: a?.id as string, title: 'blue table' },
      { id: b?.id as string, text: 'of oak' }
    ])
    assert.equal(await codes(context, { $search: 'red' }), 'b')
    assert.equal(await codes(context, { $search: 'red oak' }), 'b')
    assert.equal(await codes(context, { $search: 'blue' }), 'a')
  },
  'a transaction finds what it wrote, and nothing of one that was undone': async (context) => {
    const { articles } = context
    await articles.create({ code: 'a', title: 'red chair' })
    await assert.rejects(
      articles.withTransaction(async (within) => {
        await within.create({ code: 'b', title: 'red bench' })
        await within.updateMany({ code: 'a' }, { title: 'blue chair' })
        assert.equal(await within.count({ $search: 'red' }), 1)
        const found = await within.find({ $search: 'red' }, { order: [['$rank', 'DESC']] })
        assert.deepEqual(
          found.map(({ code }) => code as unknown),
          ['b']
        )
        await undo()
      })
    )
    assert.equal(await codes(context, { $search: 'red' }), 'a')
    assert.equal(await codes(context, { $search: 'bench' }), '')
  }
}
