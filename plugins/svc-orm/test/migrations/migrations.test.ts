/** From entities to files to a database and back, as the commands ask for it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { defineEntity, type EntityDefinition } from '../../src/index.ts'
import { Migrations } from '../../src/migrations/migrations.ts'
import { MemoryDriver } from '../support/memory-driver.ts'
import { compiled, NOW, problemsOf, project } from '../support/migrated-project.ts'

const V1 = defineEntity({ name: 'Thing', schema: { sku: { type: 'string', unique: true }, stars: { type: 'string' } } })
const V2 = defineEntity({
  name: 'Item',
  was: 'Thing',
  schema: {
    code: { type: 'string', unique: true, was: 'sku' },
    stars: { type: 'integer' },
    note: { type: 'text', nullable: true }
  }
})
const FIRST = '20260102030405_first'
const NEXT = '20260102030406_add_sku_2'

async function rowsOf(driver: MemoryDriver, definition: EntityDefinition): Promise<readonly object[]> {
  const { repositories, close } = await driver.open(compiled([definition]))
  const rows = await repositories.repository(definition.name).find()
  await close()
  return rows
}

/** Two migrations that ran, and rows of the second version. */
async function migrated(t: Test) {
  const begun = project(t)
  await begun.migrations([V1]).diff('first')
  await begun.migrations([V1]).migrate()
  await begun.migrations([V2]).diff('add sku, 2')
  await begun.migrations([V2]).migrate()
  const { repositories, close } = await begun.driver.open(compiled([V2]))
  await repositories.repository('Item').create({ code: 'a', stars: 5, note: 'x' })
  await repositories.repository('Item').create({ code: 'b', stars: 7 })
  await close()
  return begun
}

t.test('a first migration and the next one, written and run', async (t) => {
  const { folder, driver, migrations, files } = project(t)
  const first = await migrations([V1]).diff('First!')
  t.strictSame([first?.name, first?.steps, first?.baseline, first?.warnings], [FIRST, ['create Thing'], null, []])
  t.strictSame(first?.files, [join(folder, `${FIRST}.ts`), join(folder, 'snapshot.json')])
  t.equal(readFileSync(join(folder, `${FIRST}.ts`), 'utf8'), first?.source)
  t.equal(await migrations([V1]).diff('nothing'), null)
  t.strictSame(await migrations([V1]).pending('memory'), [FIRST])
  t.strictSame(await migrations([V1]).migrate(), [{ connector: 'memory', names: [FIRST] }])
  t.strictSame(await migrations([V1]).migrate(), [{ connector: 'memory', names: [] }])
  t.strictSame(await migrations([V1]).pending('memory'), [])
  const { repositories, close } = await driver.open(compiled([V1]))
  await repositories.repository('Thing').create({ sku: 'a', stars: '5' })
  await close()

  const steps = [
    'drop unique index (sku) of Thing',
    'rename Thing to Item',
    'rename Item.sku to code',
    'add Item.note (text, may be null)',
    'change Item.stars from text to integer',
    'add unique index (code) of Item'
  ]
  t.match(await migrations([V2]).status(), [{ unwritten: steps, problems: [] }])
  const shown = await migrations([V2]).diff('add sku, 2', { dryRun: true })
  t.strictSame([shown?.name, shown?.steps, shown?.files], [NEXT, steps, []])
  t.strictSame(files(), [`${FIRST}.ts`, 'snapshot.json'], 'a dry run writes nothing')
  t.equal((await migrations([V2]).diff('add sku, 2'))?.source, shown?.source)
  t.strictSame(await migrations([V2]).status('memory'), [
    {
      connector: 'memory',
      vendor: 'memory',
      migrations: [
        { name: FIRST, executedAt: new Date(0) },
        { name: NEXT, executedAt: null }
      ],
      unwritten: [],
      problems: []
    }
  ])
  await migrations([V2]).migrate()
  t.match(await rowsOf(driver, V2), [{ code: 'a', stars: 5, note: null }])
  t.strictSame(await migrations([V2]).rollback(1), [{ connector: 'memory', names: [NEXT] }], 'nothing is lost')
  t.match(await rowsOf(driver, V1), [{ sku: 'a', stars: '5' }])
})

t.test('where nothing was written, nothing is told and nothing runs', async (t) => {
  const { migrations, folder } = project(t)
  t.strictSame(await migrations([V1]).status(), [
    { connector: 'memory', vendor: 'memory', migrations: [], unwritten: [], problems: [] }
  ])
  t.strictSame(await migrations([V1]).pending('memory'), [])
  t.strictSame(await migrations([V1]).migrate(), [{ connector: 'memory', names: [] }])
  mkdirSync(folder)
  const entities = { Thing: { columns: [{ name: 'id', type: 'id' }], indexes: [] } }
  writeFileSync(join(folder, 'snapshot.json'), JSON.stringify({ format: 1, entities }))
  const misspelt = defineEntity({ name: 'Thing', schema: { sku: { type: 'string', was: 'sk' } } })
  t.match(await migrations([misspelt]).status(), [{ unwritten: [], problems: [] }], 'also beside a snapshot alone')
})

t.test('U2: a rollback that deletes rows or values counts them, and asks', async (t) => {
  const { migrations, driver } = await migrated(t)
  t.match(await problemsOf(migrations([V2]).rollback(2)), [
    {
      code: 'SVC_ORM_MIGRATION_LOSS',
      message: 'the rollback deletes 1 value of Item.note, 2 rows of Thing; nothing was done'
    }
  ])
  const asked: unknown[] = []
  const confirm = (answer: boolean) => async (losses: readonly unknown[]) => {
    asked.push(losses)
    return answer
  }
  t.match(await problemsOf(migrations([V2]).rollback(1, { confirm: confirm(false) })), [
    { code: 'SVC_ORM_MIGRATION_LOSS', message: /deletes 1 value of Item\.note; nothing/ }
  ])
  t.strictSame(asked, [
    [{ connector: 'memory', entity: 'Item', column: 'note', rows: 1, text: '1 value of Item.note' }]
  ])
  t.match(await rowsOf(driver, V2), [{ note: 'x' }, { note: null }])
  t.match(await migrations([V2]).rollback(2, { confirm: () => true }), [{ names: [NEXT, FIRST] }])
  t.strictSame(driver.schema(), [])
})

t.test('a preview keeps nothing and asks nothing; what goes on is handed on', async (t) => {
  const { migrations, driver } = await migrated(t)
  const statements: string[] = []
  const losses: unknown[] = []
  await migrations([V2]).rollback(2, {
    preview: (statement) => statements.push(statement),
    losing: ({ text }) => losses.push(text)
  })
  t.strictSame(statements, ['drop Thing'])
  t.strictSame(losses, ['1 value of Item.note', '2 rows of Thing'])
  t.equal((await rowsOf(driver, V2)).length, 2)

  const told: unknown[] = []
  await migrations([V2]).rollback(1, {
    confirm: () => true,
    progress: (text) => told.push(text),
    at: (connector, what) => told.push([connector, what])
  })
  const each = [['memory', NEXT], `${NEXT} is done`]
  t.strictSame(told, [...each, ...each], 'first it is counted, then it runs')
  await migrations([V1]).migrate({})
  t.strictSame(Object.keys(driver.runs.at(-1) ?? {}).sort(), ['check', 'direction', 'migrations', 'steps'])
})

t.test('what ran and what is a file have to agree', async (t) => {
  const { migrations, folder } = await migrated(t)
  const path = join(folder, `${NEXT}.ts`)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll('\n', '\r\n'))
  t.match(await migrations([V2]).migrate(), [{ names: [] }], 'the ends of lines may differ')
  writeFileSync(path, `${text}// later\n`)
  t.match(await problemsOf(migrations([V2]).migrate()), [{ code: 'SVC_ORM_MIGRATION_EDITED' }])
  t.match(await problemsOf(migrations([V2]).rollback(1)), [{ code: 'SVC_ORM_MIGRATION_EDITED' }])
  t.match(await migrations([V2]).status(), [{ problems: [{ code: 'SVC_ORM_MIGRATION_EDITED' }] }])
  rmSync(path)
  t.match(await problemsOf(migrations([V2]).migrate()), [{ code: 'SVC_ORM_MIGRATION_UNKNOWN' }])
})

t.test('the status tells names that are refused or unknown, and differences of the database', async (t) => {
  const { migrations } = await migrated(t)
  const taken = defineEntity({ name: 'Item', schema: { code: { type: 'string', was: 'note' } } })
  const misspelt = defineEntity({ name: 'Item', schema: { ...V2.schema, more: { type: 'string', was: 'cod' } } })
  t.match(await migrations([taken]).status(), [
    { problems: [{ code: 'SVC_ORM_MIGRATION_WAS', message: /both exist/ }] }
  ])
  t.match(await migrations([misspelt]).status(), [
    { problems: [{ code: 'SVC_ORM_MIGRATION_WAS', message: /cod, which does not exist/ }] }
  ])
  const schema = {
    differences: async () => [{ code: 'SVC_ORM_COLUMN_NULL', message: 'it differs', breaks: true }],
    standing: async () => []
  }
  const [{ problems = [] } = {}] = await migrations([V2], { schema }).status()
  t.strictSame(problems, [
    { code: 'SVC_ORM_COLUMN_NULL', message: 'it differs', more: 'npx svc docs schema-differences' }
  ])
})

t.test('each connector has a folder of its own, the first that of all; one may have no migrations', async (t) => {
  const { folder } = project(t)
  const [first, second] = [new MemoryDriver('main'), new MemoryDriver('log')]
  const migrations = new Migrations({
    folder,
    clock: { now: () => NOW },
    connectors: () => [{ name: 'cache', vendor: 'memory' }, first.connector(), second.connector()],
    entities: (connector) => compiled(connector === 'main' ? [V1] : [V2])
  })
  t.strictSame((await migrations.diff('first'))?.files[0], join(folder, 'main', `${FIRST}.ts`))
  t.strictSame((await migrations.diff('first', { connector: 'log' }))?.files[0], join(folder, 'log', `${FIRST}.ts`))
  t.strictSame(await migrations.migrate({ connector: 'log' }), [{ connector: 'log', names: [FIRST] }])
  t.strictSame(await migrations.migrate(), [
    { connector: 'main', names: [FIRST] },
    { connector: 'log', names: [] }
  ])
  t.match(await migrations.status(), [{ connector: 'main' }, { connector: 'log' }])
  t.match(await problemsOf(migrations.diff('x', { connector: 'cache' })), [
    { code: 'SVC_ORM_MIGRATION_NONE', message: 'no connector cache supports migrations' }
  ])
})

t.test('names of a migration, and a database without any', async (t) => {
  const { migrations, folder } = project(t)
  for (const name of [' - ', 'a'.repeat(81)]) {
    t.match(await problemsOf(migrations([V1]).diff(name)), [
      { code: 'SVC_ORM_MIGRATION_NAME', got: JSON.stringify(name) }
    ])
  }
  t.match(await migrations([V1]).diff('a'.repeat(80), { dryRun: true }), { name: /^\d{14}_a{80}$/ })
  mkdirSync(folder)
  writeFileSync(join(folder, 'snapshot.json'), '<<<<<<< ours')
  t.match(await problemsOf(migrations([V1]).diff('x')), [{ code: 'SVC_ORM_MIGRATION_SNAPSHOT' }])
  const without = new Migrations({ folder, clock: { now: () => NOW }, connectors: () => [], entities: () => [] })
  t.throws(() => without.status(), {
    code: 'SVC_ORM_MIGRATION_NONE',
    message: /no database of this application supports migrations/
  })
})
