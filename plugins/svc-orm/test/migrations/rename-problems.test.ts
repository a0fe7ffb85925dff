/** Names that `was` gives, against what stands: by a table written by hand. */
import t from 'tap'
import type { SchemaShape } from '../../src/migrations/entity-shape.ts'
import { renameProblems } from '../../src/migrations/rename-problems.ts'

const shape = (...names: string[]) => ({
  columns: names.map((name) => ({ name, type: 'text' as const })),
  indexes: []
})

const entities = (...names: string[]): SchemaShape => Object.fromEntries(names.map((name) => [name, shape('id')]))

const article = (...names: string[]): SchemaShape => ({ Article: shape('id', ...names) })

interface Case {
  readonly before: SchemaShape
  readonly after: SchemaShape
  readonly fields?: Readonly<Record<string, string>>
  readonly entities?: Readonly<Record<string, string>>
  readonly others?: readonly string[]
  readonly refused?: RegExp
  readonly unknown?: RegExp
  readonly fix?: RegExp
}

const CASES: Readonly<Record<string, Case>> = {
  'a rename': { before: article('title'), after: article('head'), fields: { head: 'title' } },
  'one that is done': { before: article('head'), after: article('head'), fields: { head: 'title' } },
  'a target that stands': {
    before: article('a', 'b'),
    after: article('a'),
    fields: { a: 'b' },
    refused: /^Article\.a was b, and both exist/
  },
  'a target that stands, and a source that is a field again': {
    before: article('a', 'b'),
    after: article('a', 'b'),
    fields: { a: 'b' }
  },
  'a misspelt name': {
    before: article('title'),
    after: article('head'),
    fields: { head: 'titel' },
    unknown: /^Article\.head was titel, which does not exist/,
    fix: /^did you mean title\?$/
  },
  'a misspelt name of a column that no field has': {
    before: article(),
    after: article('head'),
    fields: { head: 'titel' },
    others: ['title'],
    unknown: /^Article\.head was titel/,
    fix: /^did you mean title\?$/
  },
  'a name that is nothing like what goes': {
    before: article('title'),
    after: article('head'),
    fields: { head: 'subject' },
    unknown: /^Article\.head was subject/,
    fix: /^correct was, or remove it$/
  },
  'fields of a table that is made': { before: {}, after: article('head'), fields: { head: 'title' } },
  'an entity whose target stands': {
    before: entities('Article', 'Story'),
    after: entities('Story'),
    entities: { Story: 'Article' },
    refused: /^Story was Article, and both exist/
  },
  'an entity with a misspelt name': {
    before: entities('Article'),
    after: entities('Story'),
    entities: { Story: 'Artikle' },
    unknown: /^Story was Artikle, which does not exist/,
    fix: /^did you mean Article\?$/
  },
  'an entity of a database that has nothing yet': {
    before: {},
    after: entities('Story'),
    entities: { Story: 'Article' }
  },
  'the fields of an entity that is renamed': {
    before: { Article: shape('id', 'a', 'b') },
    after: { Story: shape('id', 'a') },
    entities: { Story: 'Article' },
    fields: { a: 'b' },
    refused: /^Story\.a was b/
  }
}

t.test('M9: a target that stands is refused, an unknown name is warned of', async (t) => {
  for (const [name, given] of Object.entries(CASES)) {
    const [entity = ''] = Object.keys(given.after)
    const hints = { entities: given.entities ?? {}, columns: { [entity]: given.fields ?? {} } }
    const found = renameProblems(given.before, given.after, hints, { Article: given.others ?? [] })
    const expected = (pattern: RegExp | undefined) => (pattern === undefined ? [] : [pattern])
    t.match(
      found.refused.map(({ message }) => message),
      expected(given.refused),
      name
    )
    t.equal(found.refused.length, given.refused === undefined ? 0 : 1, name)
    t.match(
      found.unknown.map(({ message }) => message),
      expected(given.unknown),
      name
    )
    t.equal(found.unknown.length, given.unknown === undefined ? 0 : 1, name)
    if (given.fix !== undefined) t.match(found.unknown[0]?.fix, given.fix, name)
  }
})
