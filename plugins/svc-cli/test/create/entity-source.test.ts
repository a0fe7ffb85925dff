/** The text of an entity and of its controller: fields as they are declared, names that do not collide. */
import t from 'tap'
import { parseFields } from '../../src/create/entity-fields.ts'
import { entityNames } from '../../src/create/entity-names.ts'
import { entityControllerSource, entitySource } from '../../src/create/entity-source.ts'
import { entityTestSource } from '../../src/create/entity-test-source.ts'

t.test('fields of an entity', async (t) => {
  const draft = parseFields(['title:string', 'slug:string!', 'at:date?', 'note:text?!'])
  const text = entitySource(entityNames('Article'), { ...draft, kept: [] })
  t.match(
    text,
    `  schema: {
    title: { type: 'string' },
    slug: { type: 'string', unique: true },
    at: { type: 'date', nullable: true },
    note: { type: 'text', nullable: true, unique: true }
  }`
  )
})

t.test('X3: what its name hides says so, and its test expects no answer to have it', async (t) => {
  const draft = { ...parseFields(['apiKey:string', 'title:string', 'passwordChangedAt:date?']), kept: [] }
  const text = entitySource(entityNames('Client'), draft)
  t.match(text, `apiKey: { type: 'string', hidden: 'write-only' },\n    title: { type: 'string' },`)
  t.match(text, `passwordChangedAt: { type: 'date', nullable: true }`)
  const test = entityTestSource(entityNames('Client'), draft, './client.ts')
  t.match(test, 'const shown = ({ apiKey: _apiKey, ...row }')
  t.match(test, `assert.deepEqual(changed.json(), { id, ...shown(second), title: first.title })`)
})

t.test('relations, and what the repository keeps', async (t) => {
  const draft = parseFields(['title:string', 'author:Author', 'cover:Cover?!', 'editor:Author?', 'parent:BlogPost?'])
  t.strictSame(draft.problems, [])
  const text = entitySource(entityNames('BlogPost'), { ...draft, kept: ['timestamps', 'softDelete'] })
  t.match(
    text,
    `import { defineEntity, entities } from 'svc-orm'
import './author.ts'
import './cover.ts'

export const BlogPost = defineEntity({
  name: 'BlogPost',
  schema: {
    title: { type: 'string' }
  },
  relations: {
    author: { type: 'many-to-one', target: 'Author' },
    cover: { type: 'one-to-one', target: 'Cover', nullable: true },
    editor: { type: 'many-to-one', target: 'Author', nullable: true },
    parent: { type: 'many-to-one', target: 'BlogPost', nullable: true }
  },
  timestamps: true,
  softDelete: true
})
`
  )
})

for (const [entity, imported] of [
  ['Article', 'Article'],
  ['Post', 'Post as PostEntity'],
  ['Query', 'Query as QueryEntity'],
  ['Object', 'Object as ObjectEntity'],
  ['Event', 'Event as EventEntity'],
  ['RowOf', 'RowOf as RowOfEntity']
] as const) {
  t.test(`${entity} in its controller`, async (t) => {
    const text = entityControllerSource(entityNames(entity), '../entities/x.ts')
    const local = imported.split(' ').at(-1)
    t.match(text, `import { ${imported} } from '../entities/x.ts'`)
    t.match(text, `crud(${local})`)
    t.match(text, `NewOf<typeof ${local}>`)
  })
}
