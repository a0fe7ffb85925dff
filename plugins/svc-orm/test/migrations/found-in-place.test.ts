/** What a way up has found, as its way back asks for it. */
import t from 'tap'
import { FoundInPlace } from '../../src/migrations/found-in-place.ts'

const table = { entity: 'Article', was: 'Story' }
const title = { entity: 'Article', column: { name: 'title', type: 'text' } } as const
const note = { entity: 'Article', column: { name: 'note', type: 'text' }, tookNull: true } as const
const other = { entity: 'Note', column: { name: 'text', type: 'text' } } as const

t.test('parts are found by entity, and columns by name', async (t) => {
  const found = new FoundInPlace([title, table, note, other])
  t.equal(found.table('Article'), table)
  t.equal(found.table('Note'), undefined, 'a column of it is not the table')
  t.strictSame(found.columns('Article'), [title, note])
  t.equal(found.column('Article', 'note'), note)
  t.equal(found.column('Article', 'text'), undefined)
  t.equal(found.column('Story', 'title'), undefined)
  t.strictSame(found.noted, [], 'what was known is not noted again')
})

t.test('what is noted is of this run', async (t) => {
  const found = new FoundInPlace()
  found.note(table)
  found.note(title)
  t.strictSame(found.noted, [table, title])
  t.equal(found.table('Article'), undefined)
  t.strictSame(found.columns('Article'), [])
})
