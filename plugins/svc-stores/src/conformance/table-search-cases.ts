/** Cases of the port: rows by the words of their texts, and in the order of how well they fit. */
import assert from 'node:assert/strict'
import type { Condition, SearchCondition } from '../table/condition.ts'
import type { SortKey } from '../table/sort-key.ts'
import type { Table } from '../table/table.ts'
import type { TablePlan } from '../table/table-plan.ts'
import { type SearchedWord, wordsText } from '../table/words.ts'
import { columnOfRows, type TableCases, type TableContext } from './table-fixtures.ts'

interface Page {
  readonly id: string
  readonly name: string
  readonly head: string | null
  readonly text: string | null
  readonly headWords: string | null
  readonly textWords: string | null
}

const COLUMNS = ['headWords', 'textWords'] as const

export const pagePlan: TablePlan = {
  name: 'suite_page',
  collection: 'SuitePage',
  record: 'page',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'text' },
    { name: 'head', type: 'text', nullable: true },
    { name: 'text', type: 'text', nullable: true },
    { name: 'headWords', type: 'words', nullable: true, folds: 'head' },
    { name: 'textWords', type: 'words', nullable: true, folds: 'text' }
  ],
  indexes: [
    { columns: COLUMNS, method: 'words', on: 'sql' },
    { columns: ['headWords'], on: 'documents' },
    { columns: ['textWords'], on: 'documents' }
  ]
}

interface Pages {
  readonly pages: Table<Page>
  page(name: string, head: string | null, text?: string | null): Page
}

function pagesOf({ database }: TableContext): Pages {
  const words = (text: string | null) => (text === null ? null : wordsText(text))
  return {
    pages: database.table<Page>(pagePlan),
    page: (name, head, text = null) => ({
      ...{ id: database.ids.generate(), name, head, text },
      ...{ headWords: words(head), textWords: words(text) }
    })
  }
}

/** One that ends with `*` is a prefix. */
function searching(...words: readonly string[]): SearchCondition {
  const searched = words.map((word): SearchedWord => {
    return word.endsWith('*') ? { word: word.slice(0, -1), prefix: true } : { word }
  })
  return { operator: 'search', columns: COLUMNS, words: searched }
}

function byRank({ words }: SearchCondition, [head, text] = [1, 1]): readonly SortKey[] {
  const columns = [
    { column: 'headWords', weight: head },
    { column: 'textWords', weight: text }
  ]
  return [
    { field: 'rank', direction: 'DESC', by: { kind: 'ranked', columns, words } },
    { field: 'id', direction: 'ASC' }
  ]
}

export const searchCases: TableCases = {
  'words: every one of them, in any column, in what reads and in what writes': async (context) => {
    const { pages, page } = pagesOf(context)
    await pages.insert([
      page('a', 'Red chair', 'Made of oak'),
      page('b', 'Red table', 'Six chairs fit'),
      page('c', null, 'A RED stool; no chair.'),
      page('d', 'Größe 42', 'straße, Ärger'),
      page('e', null)
    ])
    const found = async (...conditions: readonly Condition[]) =>
      columnOfRows(await pages.find(conditions), 'name').join('')
    const expected: readonly [words: readonly string[], names: string][] = [
      [['red'], 'abc'],
      [['red', 'chair'], 'ac'],
      [['chair', 'oak'], 'a'],
      [['chair*'], 'abc'],
      [['red', 'chai*'], 'abc'],
      [['hair'], ''],
      [['42'], 'd'],
      [['4*'], 'd'],
      [['strasse'], 'd'],
      [['grosse', 'arger'], 'd'],
      [['none'], ''],
      [['red', 'none'], '']
    ]
    for (const [words, names] of expected) assert.equal(await found(searching(...words)), names, words.join(' '))
    const chair = searching('chair')
    assert.equal(await found({ operator: 'not', of: [chair] }), 'bde')
    assert.equal(await found({ operator: 'any', of: [[chair], [searching('six')]] }), 'abc')
    assert.equal(await found(chair, { field: 'name', operator: 'gt', value: 'a' }), 'c')
    assert.equal(await pages.count([chair]), 2)
    const related = { field: 'id', table: pagePlan, column: 'id', of: [chair] }
    assert.equal(await found({ operator: 'related', ...related }), 'ac')
    assert.equal(await pages.update([searching('red')], { set: { headWords: 'blue chair' } }), 3)
    assert.equal(await found(searching('red')), 'c', 'the words of a change')
    assert.equal(await found(chair), 'abc')
    assert.equal(await pages.delete([searching('blue', 'oak')]), 1)
    assert.equal(await found(chair), 'bc', 'without those that are deleted')
    await pages.put({ ...page('f', 'a chair'), id: (await pages.findOne([{ ...searching('six') }]))?.id ?? '' })
    assert.equal(await found(chair), 'fc', 'the words of a row that is replaced')
  },
  'words: the better fits first, by the weights of columns, and pages of them': async (context) => {
    const { pages, page } = pagesOf(context)
    const filler = 'stool bench shelf rack lamp door wall roof'
    await pages.insert([
      page('text', filler, `chair ${filler}`),
      page('head', 'chair', filler),
      page('often', filler, 'chair chair chair chair bench'),
      page('none', filler, filler),
      page('rest', filler, `${filler} nothing`)
    ])
    const chair = searching('chair')
    const ranked = async (weights: [number, number], limit?: number, offset?: number) => {
      const selection = { order: byRank(chair, weights), ...(limit && { limit }), ...(offset && { offset }) }
      return columnOfRows(await pages.find([chair], { ...selection, without: COLUMNS }), 'name')
    }
    assert.equal((await ranked([20, 1]))[0], 'head')
    assert.deepEqual(await ranked([1, 20]), ['often', 'text', 'head'])
    assert.deepEqual(await ranked([1, 20], 1, 1), ['text'])
    const rows: readonly { readonly rank?: unknown; readonly headWords?: unknown }[] = await pages.find([chair], {
      order: byRank(chair),
      without: COLUMNS
    })
    const ranks = rows.map(({ rank }) => rank)
    assert.ok(
      ranks.every((rank) => typeof rank === 'number' && rank > 0),
      `numbers: ${ranks.join()}`
    )
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => Number(b) - Number(a))
    )
    assert.ok(rows.every((row) => !('headWords' in row)))
    assert.equal((await pages.find([searching('cha*')], { order: byRank(searching('cha*')) })).length, 3)
  }
}
