/** The file of a migration, read as it will run: its calls carry what the steps say, and its marks say what to decide. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ColumnPlan } from 'svc-stores/table'
import t, { type Test } from 'tap'
import type { Migration, MigrationContext } from '../../src/index.ts'
import { migrationSource } from '../../src/migrations/migration-source.ts'
import type { SchemaStep } from '../../src/migrations/schema-step.ts'

type Call = readonly [name: string, ...given: unknown[]]

/** What the file does, call by call. */
async function callsOf(t: Test, source: string, way: 'up' | 'down'): Promise<readonly Call[]> {
  const folder = mkdtempSync(join(import.meta.dirname, 'source-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, '20260101000000_made.ts')
  writeFileSync(file, source)
  const { default: migration } = (await import(file)) as { default: Migration }
  const calls: Call[] = []
  const context = new Proxy({} as MigrationContext, {
    get:
      (_, name) =>
      async (...given: unknown[]) =>
        calls.push([String(name), ...given])
  })
  await migration[way]?.(context)
  return calls
}

const TEXTS = [
  'You have read this article for a while, and it may be that you like it: tell others of it, or write to its author, please.',
  `It's "quoted" \\ and 'quoted' \\" again, at a length that no line of the file takes as it is, so that it has to be broken somewhere.`,
  `${'line\n'.repeat(40)}\t\${not} \`a\` template ${'ä€🙂'.repeat(30)}\u2028${'end'.repeat(20)}`,
  'x'.repeat(5000)
]

t.test('M2: a long text default is written as text', async (t) => {
  for (const text of TEXTS) {
    const column: ColumnPlan = { name: 'note', type: 'text', default: text }
    const short: ColumnPlan = { name: 'note', type: 'text', nullable: true }
    const shape = { columns: [{ name: 'id', type: 'id' }, column] as const, indexes: [{ columns: ['note'] }] }
    const steps: SchemaStep[] = [
      { kind: 'createTable', entity: 'Article', shape },
      { kind: 'addColumn', entity: 'Article', column },
      { kind: 'changeColumn', entity: 'Article', from: short, to: column }
    ]
    t.strictSame(await callsOf(t, migrationSource(steps), 'up'), [
      ['createTable', 'Article', shape],
      ['addColumn', 'Article', column],
      ['changeColumn', 'Article', short, column]
    ])
    t.strictSame(await callsOf(t, migrationSource(steps), 'down'), [
      ['changeColumn', 'Article', column, short],
      ['dropColumn', 'Article', 'note'],
      ['dropTable', 'Article']
    ])
  }
})

const DELETED: ColumnPlan = { name: 'deletedAt', type: 'date', nullable: true }

t.test('M11: the mark of deletedAt says how many deleted rows come back', async (t) => {
  const steps: SchemaStep[] = [{ kind: 'dropColumn', entity: 'Article', column: DELETED }]
  const made = (count: number | null) =>
    migrationSource(steps, { isManaged: () => false, deletedRows: new Map([['Article', count]]), doubts: new Map() })
  t.match(made(3), /DATA: 3 deleted rows would come back without Article\.deletedAt/)
  t.match(made(null), /DATA: deleted rows would come back without Article\.deletedAt/)
  t.strictSame(await callsOf(t, made(3), 'up'), [['dropColumn', 'Article', 'deletedAt', { deleted: undefined }]])
  t.strictSame(await callsOf(t, made(3), 'down'), [['addColumn', 'Article', DELETED]])
})

t.test('M13: moments that the repository keeps are proposed, others are left to a person', async (t) => {
  const columns = ['createdAt', 'publishedAt'].map((name): ColumnPlan => ({ name, type: 'date' }))
  const steps = columns.map((column): SchemaStep => ({ kind: 'addColumn', entity: 'Article', column }))
  const isManaged = (_: string, column: string) => column === 'createdAt'
  const source = migrationSource(steps, { isManaged, deletedRows: new Map(), doubts: new Map() })
  const [created, published] = await callsOf(t, source, 'up')
  t.match(created, ['addColumn', 'Article', { name: 'createdAt' }, { fill: Date }])
  t.strictSame(published?.[3], { fill: undefined })
  t.match(source, /DATA: existing rows get the time of this migration as Article\.createdAt/)
  const [unknown] = await callsOf(t, migrationSource(steps), 'up')
  t.strictSame(unknown?.[3], { fill: undefined }, 'a step alone does not say who writes the column')
})

t.test('a type that the database does not tell is marked', async (t) => {
  const [from, to] = [
    { name: 'stars', type: 'integer' },
    { name: 'stars', type: 'text' }
  ] as const
  const doubts = new Map([['Article.stars', ['integer', 'boolean', 'date'] as const]])
  const steps: SchemaStep[] = [{ kind: 'changeColumn', entity: 'Article', from, to }]
  const source = migrationSource(steps, { isManaged: () => false, deletedRows: new Map(), doubts })
  t.match(source, /DATA: the database does not tell which of integer, boolean, date Article\.stars held/)
  t.strictSame(await callsOf(t, source, 'up'), [['changeColumn', 'Article', from, to]])
})
