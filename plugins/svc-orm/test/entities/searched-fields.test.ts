/** What `search` adds to an entity, and what is refused at boot. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { entityView } from '../../src/admin/entity-view.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity, type EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { toDbml } from '../../src/export/to-dbml.ts'
import { foldedChange } from '../../src/migrations/folded-change.ts'
import { assignEntities } from '../../src/registry/assign-entities.ts'

const Ticket = defineEntity({
  name: 'Ticket',
  schema: {
    subject: { type: 'string', was: 'title' },
    body: { type: 'text', nullable: true },
    mail: { type: 'email', sealed: true },
    secretWord: { type: 'string', hidden: true },
    tags: { type: 'string', array: true },
    stars: { type: 'integer' },
    starsWords: { type: 'string' },
    label: { type: 'string' },
    label_words: { type: 'string' }
  },
  search: [{ field: 'subject', weight: 3 }, 'body']
})

const compiled = (definition: EntityDefinition) => compileEntities([{ definition, place: 'a.ts:1' }], 'default')

t.test('each field gets a column for its words, and all an index', (t) => {
  const { entities, problems } = compiled(Ticket)
  t.strictSame(problems, [])
  t.strictSame(entities[0]?.search, [
    { field: 'subject', weight: 3 },
    { field: 'body', weight: 1 }
  ])
  const { columns, indexes } = entityPlan(entities[0] as never)
  t.strictSame(columns.slice(-2), [
    { name: 'subjectWords', type: 'words', nullable: true, folds: 'subject', was: 'titleWords' },
    { name: 'bodyWords', type: 'words', nullable: true, folds: 'body' }
  ])
  t.strictSame(indexes, [
    { columns: ['subjectWords', 'bodyWords'], method: 'words', on: 'sql' },
    { columns: ['subjectWords'], on: 'documents' },
    { columns: ['bodyWords'], on: 'documents' }
  ])
  t.end()
})

t.test('it is shown where indexes are', (t) => {
  const [entity] = compiled(Ticket).entities
  const dbml = toDbml([{ name: 'main', entities: [entity as never] }])
  t.match(dbml, `    ("subject", "body") [note: 'search']`)
  t.match(entityView(entity as never, 'main', 'ticket', []).indexes, [
    { fields: ['subject', 'body'], unique: false, method: 'words' }
  ])
  t.end()
})

t.test('a migration writes the words of rows that are there', (t) => {
  const change = foldedChange({ name: 'bodyWords', type: 'words', nullable: true, folds: 'body' })
  t.strictSame(change?.read, [{ name: 'body', type: 'text', nullable: true }])
  t.strictSame(change?.written, [{ name: 'bodyWords', type: 'words', nullable: true }])
  t.strictSame(change?.change({ id: '1', body: 'Größe: 42' }), { bodyWords: 'grosse 42' })
  t.equal(change?.change({ id: '1', body: null }), null)
  t.end()
})

t.test('what is no shown text cannot be searched', (t) => {
  const refused: readonly (readonly [search: EntityDefinition['search'], message: RegExp])[] = [
    [['none'], /names none, which is not a field/],
    [['mail'], /names mail, which is sealed/],
    [['secretWord'], /names secretWord, which is hidden/],
    [['tags'], /names tags, which is no text/],
    [['stars'], /names stars, which is no text/],
    [['label'], /names label, and the name of the column of its words is that of the field label_words/],
    [['body', 'body'], /names body twice/]
  ]
  for (const [search = [], message] of refused) {
    const { problems } = compiled({ ...Ticket, search })
    t.match(problems, [{ code: 'SVC_ENTITY_SEARCH', message, at: 'a.ts:1' }])
  }
  const over = compiled({ name: 'Old', schema: { a: { type: 'string' } }, search: ['a'], existing: { name: 'old' } })
  t.match(over.problems, [{ code: 'SVC_ENTITY_SEARCH', message: /columns that an existing table does not get/ }])
  for (const search of [[], ['a', 'b', 'c', 'd', 'e'], [{ field: 'body', weight: 0 }], [{ weight: 1 }], 'body']) {
    t.match(compiled({ ...Ticket, search } as never).problems[0], { code: 'SVC_ENTITY_INVALID' })
  }
  t.end()
})

t.test('a driver without search is told at boot', (t) => {
  const connector = memoryDatabase()
  const declared = [{ source: Ticket, connector: null, place: 'a.ts:1' }]
  t.strictSame(assignEntities(declared as never, [connector]).problems, [])
  Object.defineProperty(connector, 'search', { value: false })
  t.match(assignEntities(declared as never, [connector]).problems, [
    { code: 'SVC_ENTITY_SEARCH', message: 'Ticket declares search, and the driver of connector memory has none' }
  ])
  t.end()
})
