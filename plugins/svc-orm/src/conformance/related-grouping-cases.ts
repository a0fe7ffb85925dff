/** Groups by fields of rows that are referred to. */
import assert from 'node:assert/strict'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, refused } from './conformance-suite.ts'

/** Options of calls whose rows no type describes. */
type Loose = Pick<Repository, never> & { groupBy(criteria: object, options: object): Promise<object[]> }

const grouped = async (repository: Repository, options: object, criteria: object = {}) => {
  const groups = await (repository as unknown as Loose).groupBy(criteria, options)
  return groups.map((group) => ({ ...group }))
}

async function seed({ authors, books, repository }: CaseContext) {
  const zed = await authors.create({ name: 'Zed' })
  const ada = await authors.create({ name: 'Ada', mentorId: zed.id })
  const bob = await authors.create({ name: 'Bob', mentorId: zed.id })
  await books.createMany([
    { title: 'a', authorId: ada.id },
    { title: 'b', authorId: ada.id },
    { title: 'c', authorId: bob.id },
    { title: 'd', authorId: zed.id },
    { title: 'e' }
  ])
  const invoices = repository('Invoice')
  const [small, large] = await invoices.createMany([
    { number: 'small', total: '1.50', parts: 1 },
    { number: 'large', total: '90071992547409.93', parts: 1 }
  ])
  const payments = repository('Payment')
  await payments.createMany([
    { invoiceId: small?.id, amount: '0.50', weight: 1, at: '2026-01-31T23:30:00Z' },
    { invoiceId: small?.id, amount: '0.25', weight: 1 },
    { invoiceId: large?.id, amount: '90071992547409.93', weight: 2 },
    { invoiceId: large?.id, amount: null, weight: 3, state: 'open' },
    { amount: '7.00' }
  ])
  return { authors, books, payments, zed }
}

const ROWS = { rows: { count: true } } as const

export const relatedGroupingCases: Cases = {
  'rows are grouped by a field of the row that they refer to; without one they share null': async (context) => {
    const { books } = await seed(context)
    const byAuthor = { by: ['author.name'], measures: { ...ROWS, last: { max: 'title' } } }
    assert.deepEqual(await grouped(books, byAuthor), [
      { 'author.name': null, rows: 1, last: 'e' },
      { 'author.name': 'Ada', rows: 2, last: 'b' },
      { 'author.name': 'Bob', rows: 1, last: 'c' },
      { 'author.name': 'Zed', rows: 1, last: 'd' }
    ])
    const byMentor = { by: ['author.mentor.name', 'author.name'], measures: ROWS, order: [['rows', 'DESC']], limit: 2 }
    assert.deepEqual(await grouped(books, byMentor), [
      { 'author.mentor.name': 'Zed', 'author.name': 'Ada', rows: 2 },
      { 'author.mentor.name': null, 'author.name': null, rows: 1 }
    ])
    const turned = { by: ['author.name'], order: [['author.name', 'DESC']] }
    assert.deepEqual(await grouped(books, turned, { 'author.name': { $ne: 'Ada' }, title: { $lt: 'e' } }), [
      { 'author.name': 'Zed' },
      { 'author.name': 'Bob' }
    ])
    assert.deepEqual(await grouped(books, byAuthor, { title: 'nothing' }), [])
  },
  'values come as rows have them, and sums are exact': async (context) => {
    const { payments } = await seed(context)
    const measures = { ...ROWS, sum: { sum: 'amount' } }
    assert.deepEqual(await grouped(payments, { by: ['invoice.total'], measures }), [
      { 'invoice.total': null, rows: 1, sum: '7.00' },
      { 'invoice.total': '1.50', rows: 2, sum: '0.75' },
      { 'invoice.total': '90071992547409.93', rows: 2, sum: '90071992547409.93' }
    ])
    // A field of both tables has one name.
    const both = { by: ['invoice.id', 'id'], measures: ROWS }
    assert.equal((await grouped(payments, both)).length, 5)
    const mixed = { by: ['state', 'invoice.number', { month: 'at', zone: 'Europe/Berlin' }], measures: ROWS }
    assert.deepEqual(await grouped(payments, mixed), [
      { state: 'done', 'invoice.number': null, month: null, rows: 1 },
      { state: 'done', 'invoice.number': 'large', month: null, rows: 1 },
      { state: 'done', 'invoice.number': 'small', month: null, rows: 1 },
      { state: 'done', 'invoice.number': 'small', month: '2026-02', rows: 1 },
      { state: 'open', 'invoice.number': 'large', month: null, rows: 1 }
    ])
  },
  'with measures of some rows, different values, and conditions on groups': async (context) => {
    const { payments } = await seed(context)
    const measures = {
      ...ROWS,
      open: { count: true, where: { state: 'open' } },
      small: { sum: 'weight', where: { 'invoice.number': 'small' } },
      weights: { countDistinct: 'weight' }
    }
    const groups = [
      { 'invoice.number': null, rows: 1, open: 0, small: null, weights: 0 },
      { 'invoice.number': 'large', rows: 2, open: 1, small: null, weights: 2 },
      { 'invoice.number': 'small', rows: 2, open: 0, small: 2, weights: 1 }
    ]
    const by = ['invoice.number']
    assert.deepEqual(await grouped(payments, { by, measures }), groups)
    const some = { by, measures, having: { 'invoice.number': { $gte: 'm' }, rows: 2 } }
    assert.deepEqual(await grouped(payments, some), [groups[2]])
    const none = { by, measures, having: { 'invoice.number': null } }
    assert.deepEqual(await grouped(payments, none), [groups[0]])
    const total = { by: ['invoice.total'], having: { 'invoice.total': { $gt: '1.50' } } }
    assert.deepEqual(await grouped(payments, total), [{ 'invoice.total': '90071992547409.93' }])
  },
  'a deleted row is none, unless deleted rows are seen': async ({ repository }) => {
    const folders = repository('Folder')
    const [kept, gone] = await folders.createMany([{ path: '/' }, { path: '/gone' }])
    await folders.createMany([
      { path: '/a', parentId: kept?.id, files: 1 },
      { path: '/b', parentId: gone?.id, files: 2 }
    ])
    await folders.delete({ id: gone?.id })
    const options = { by: ['parent.path'], measures: { files: { sum: 'files' } } }
    const children = { files: { $gt: 0 } }
    assert.deepEqual(await grouped(folders, options, children), [
      { 'parent.path': null, files: 2 },
      { 'parent.path': '/', files: 1 }
    ])
    assert.deepEqual(await grouped(folders.withDeleted(), options, children), [
      { 'parent.path': '/', files: 1 },
      { 'parent.path': '/gone', files: 2 }
    ])
  },
  'what leads to several rows, or to no field, is refused': async ({ authors, books }) => {
    await refused(() => grouped(authors, { by: ['books.title'] }), 'SVC_ORM_OPTIONS', 400)
    await refused(() => grouped(books, { by: ['author.nothing'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => grouped(books, { by: ['nothing.name'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => grouped(books, { by: ['author'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    const having = { by: ['author.name'], having: { 'author.id': 'x' } }
    await refused(() => grouped(books, having), 'SVC_ORM_UNKNOWN_FIELD', 400)
  }
}
