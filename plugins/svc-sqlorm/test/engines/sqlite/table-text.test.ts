/** Texts of tables, cut into their clauses: whatever was written by whom. */
import t from 'tap'
import { readTableText } from '../../../src/engines/sqlite/table-text.ts'

const CASES: readonly (readonly [text: string, columns: readonly (string | null)[], end: string])[] = [
  ['create table a (b integer, c text)', ['b', 'c'], ''],
  ['CREATE TABLE "a (" ("b" text not null, primary key ("b")) strict', ['b', null], 'strict'],
  ['create table a ("od""d" text, `t x` text, [u v] text) without rowid', ['od"d', 't x', 'u v'], 'without rowid'],
  [`create table a (b text default 'x, (''y', c text check (c in ('(', ')')))`, ['b', 'c'], ''],
  ['create table a (\n  -- the first, with a comma\n  b text, /* c text, */ d integer -- last )\n)', ['b', 'd'], ''],
  ['create table a (b numeric(10, 2) default (1 - 2), unique (b), Constraint k check (b > -1))', ['b', null, null], ''],
  ['create table a (uniqueness text, "unique" text, checked/2 text)', ['uniqueness', 'unique', 'checked/2'], '']
]

for (const [text, columns, end] of CASES) {
  t.test(text.slice(0, 60), (t) => {
    const read = readTableText(text)
    t.strictSame(
      read.clauses.map(({ column }) => column),
      columns
    )
    t.equal(read.end, end)
    t.end()
  })
}

t.test('each clause keeps its words', (t) => {
  const { clauses } = readTableText(`create table a (b text default 'x, (y', primary key (b))`)
  t.strictSame(
    clauses.map(({ text }) => text),
    [`b text default 'x, (y'`, 'primary key (b)']
  )
  t.end()
})

t.test('what has no columns is refused', (t) => {
  t.throws(() => readTableText('create table a as select 1'), TypeError)
  t.throws(() => readTableText('create table a (b'), TypeError)
  t.end()
})
