/** The first migration of a database that has tables already, a baseline, and what the file says of rows and of doubts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConnectionUnavailable } from 'svc-stores'
import type { TablePlan } from 'svc-stores/table'
import t from 'tap'
import { defineEntity, type EntityDefinition } from '../../src/index.ts'
import type { StandingTable } from '../../src/schema/standing-table.ts'
import { problemsOf, project } from '../support/migrated-project.ts'

const entity = (schema: EntityDefinition['schema'], more: Partial<EntityDefinition> = {}) =>
  defineEntity({ name: 'Article', ...more, schema })

const V1 = entity({ title: { type: 'string', unique: true }, stars: { type: 'string' } })
const V2 = entity({ head: { type: 'string', unique: true, was: 'title' }, stars: { type: 'integer' } })

/** As a driver finds it. */
const ARTICLE = {
  former: false,
  columns: [
    { name: 'id', type: 'id' },
    { name: 'title', type: 'text' },
    { name: 'stars', type: 'text' }
  ],
  indexes: [{ columns: ['title'], unique: true }],
  others: [],
  doubts: {}
} as const satisfies Omit<StandingTable, 'plan'>

/** A database that has this table, and those alone that are asked for. @param names that a plan of it may have */
function having(table: Partial<Omit<StandingTable, 'plan'>> = {}, names: readonly string[] = ['Article', 'Story']) {
  const standing = async (plans: readonly TablePlan[]) =>
    plans
      .filter(({ collection }) => names.includes(collection ?? ''))
      .map((plan): StandingTable => ({ plan, ...ARTICLE, ...table }))
  return { schema: { differences: async () => [], standing } }
}

t.test('U1: a baseline makes what is there; the migration after it changes that', async (t) => {
  const { migrations, folder, files } = project(t)
  const dry = await migrations([V2], having()).baseline({ dryRun: true })
  t.strictSame([dry?.baseline, dry?.files], [null, []])
  t.throws(files, 'nothing was written')
  const written = await migrations([V2], having()).baseline()
  t.strictSame([written?.name, written?.steps], ['20260102030405_baseline', ['create Article']])
  t.match(written?.source, /name: 'title', type: 'text'/)
  t.strictSame(written?.files, [join(folder, '20260102030405_baseline.ts'), join(folder, 'snapshot.json')])
  t.match(await problemsOf(migrations([V2], having()).baseline()), [
    { code: 'SVC_ORM_MIGRATION_BASELINE', message: /^memory has migrations already/ }
  ])
  const next = await migrations([V2], having()).diff('better')
  t.equal(next?.baseline, null)
  t.strictSame(next?.steps, [
    'drop unique index (title) of Article',
    'rename Article.title to head',
    'change Article.stars from text to integer',
    'add unique index (head) of Article'
  ])
})

t.test('a baseline of nothing, and one after a snapshot alone', async (t) => {
  const { migrations, folder } = project(t)
  t.equal(await migrations([V1], having({}, [])).baseline(), null)
  t.equal(await migrations([V1]).baseline(), null, 'a driver that keeps no schema has nothing')
  mkdirSync(folder)
  writeFileSync(join(folder, 'snapshot.json'), '{ "format": 1, "entities": {} }')
  t.match(await problemsOf(migrations([V1], having()).baseline()), [{ code: 'SVC_ORM_MIGRATION_BASELINE' }])
})

t.test('U1: a first diff of tables that change writes the baseline before it', async (t) => {
  const { migrations, files } = project(t)
  const written = await migrations([V2], having()).diff('better')
  t.strictSame([written?.baseline?.name, written?.name], ['20260102030405_baseline', '20260102030406_better'])
  t.match(written?.baseline?.source, /createTable\('Article'/)
  t.match(written?.source, /renameColumn\('Article', 'title', 'head'\)/)
  t.strictSame(files(), ['20260102030405_baseline.ts', '20260102030406_better.ts', 'snapshot.json'])
})

t.test('U1: where only tables are made, one file makes all of them', async (t) => {
  const { migrations, files } = project(t)
  const Note = defineEntity({ name: 'Note', schema: { text: { type: 'text' } } })
  const written = await migrations([V1, Note], having()).diff('first')
  t.strictSame([written?.steps, written?.baseline], [['create Article', 'create Note'], null])
  t.equal(files().length, 2)
  const empty = project(t)
  t.equal(await empty.migrations([]).diff('nothing'), null)
  t.throws(empty.files, 'nothing was written')
})

t.test('U1: a table under its name before is renamed', async (t) => {
  const Story = entity(V1.schema, { name: 'Story', was: 'Article' })
  const { migrations } = project(t)
  const former = having({ former: true })
  const written = await migrations([Story], former).diff('story')
  t.strictSame(written?.steps, [
    'drop unique index (title) of Article',
    'rename Article to Story',
    'add unique index (title) of Story'
  ])
  t.match(written?.baseline?.source, /createTable\('Article'/)
  const now = await migrations([Story], having()).diff('story', { dryRun: true })
  t.equal(now, null, 'the snapshot has it')
  const other = await project(t).migrations([Story], having()).diff('story')
  t.strictSame(other?.steps, ['create Story'], 'it has its name there already')
  t.match(other?.source, /was: 'Article'/)
})

t.test('a table that another one owns has no part in it', async (t) => {
  const given = entity(V1.schema, { existing: { name: 'article' } })
  t.equal(await project(t).migrations([given], having()).baseline(), null)
  const { migrations } = project(t)
  await migrations([V1]).diff('first')
  t.equal(await migrations([given]).diff('given'), null, 'it is not dropped')
})

t.test('M9: columns without a field are told, and may be what a misspelt name means', async (t) => {
  const legacy = having({ others: ['legacy', 'older'] })
  const plain = await project(t).migrations([V1], legacy).baseline()
  t.match(plain?.warnings, [
    {
      code: 'SVC_ORM_MIGRATION_BASELINE',
      message: 'Article has columns in the database without a field: they are left alone',
      got: 'legacy, older'
    }
  ])
  t.strictSame((await project(t).migrations([V1], having()).baseline())?.warnings, [])
  const misspelt = entity({ ...V1.schema, head: { type: 'string', was: 'legaci', nullable: true } })
  const written = await project(t).migrations([misspelt], legacy).diff('misspelt')
  t.match(written?.warnings, [
    { code: 'SVC_ORM_MIGRATION_WAS', fix: 'did you mean legacy?', expected: 'legacy | older' }
  ])
  t.strictSame(written?.steps, ['add Article.head (text, may be null)'])
  const taken = entity({ title: { type: 'string', was: 'stars' } })
  t.match(await problemsOf(project(t).migrations([taken], having()).diff('taken')), [
    { code: 'SVC_ORM_MIGRATION_WAS', message: /^Article\.title was stars, and both exist/ }
  ])
})

t.test('types that the database keeps alike are warned of, or marked where they are converted', async (t) => {
  const doubts = having({ doubts: { title: ['text', 'json'], stars: ['text', 'date'] } })
  const title = {
    code: 'SVC_ORM_MIGRATION_BASELINE',
    message: /whether Article\.title holds text or json: svc assumes text$/
  }
  const stars = { code: 'SVC_ORM_MIGRATION_BASELINE', message: /whether Article\.stars holds text or date/ }
  const baseline = await project(t).migrations([V1], doubts).baseline()
  t.match(baseline?.warnings, [title, stars])
  t.equal(baseline?.warnings.length, 2)
  const integer = entity({ title: { type: 'string', unique: true }, stars: { type: 'integer' } })
  const written = await project(t).migrations([integer], doubts).diff('integer')
  t.match(written?.warnings, [title])
  t.equal(written?.warnings.length, 1, 'the other one is marked')
  t.match(written?.source, /DATA: the database does not tell which of text, date Article\.stars held/)
  const sure = having({ doubts: { title: ['text'] } })
  t.strictSame((await project(t).migrations([V1], sure).baseline())?.warnings, [])
})

t.test(
  'a database that does not answer: the first migration is not written; other errors are not covered up',
  async (t) => {
    const failing = (error: Error) => ({
      schema: { differences: async () => [], standing: () => Promise.reject(error) }
    })
    const { migrations } = project(t)
    const unreachable = failing(new ConnectionUnavailable('memory'))
    for (const work of [migrations([V1], unreachable).diff('first'), migrations([V1], unreachable).baseline()]) {
      t.match(await problemsOf(work), [
        { code: 'SVC_ORM_MIGRATION_BASELINE', message: /database of memory, which cannot be reached/ }
      ])
    }
    await t.rejects(migrations([V1], failing(new RangeError('broken'))).diff('first'), RangeError)
  }
)

t.test('M11: rows that are deleted are counted where an entity keeps them no more', async (t) => {
  const { migrations, driver } = project(t)
  const soft = entity({ title: { type: 'string' } }, { softDelete: true })
  await migrations([soft]).diff('first')
  const asked: unknown[] = []
  const counting = (count: () => Promise<number>) => {
    const { migrations: port } = driver.connector()
    if (port === undefined) throw new Error('it has migrations')
    const counted = (...given: [string, string]) => {
      asked.push(given)
      return count()
    }
    return { migrations: { ...port, count: counted } }
  }
  const hard = entity({ title: { type: 'string' } })
  const source = async (definition: EntityDefinition, count: () => Promise<number>) =>
    (await migrations([definition], counting(count)).diff('hard', { dryRun: true }))?.source ?? ''
  t.match(await source(hard, async () => 3), /DATA: 3 deleted rows would come back without Article\.deletedAt/)
  t.match(await source(hard, () => Promise.reject(new Error('down'))), /DATA: deleted rows would come back without/)
  await source(entity(hard.schema, { name: 'Story', was: 'Article' }), async () => 3)
  t.strictSame(asked, [
    ['Article', 'deletedAt'],
    ['Article', 'deletedAt'],
    ['Article', 'deletedAt']
  ])
  const other = await source(entity({}), async () => 3)
  t.match(other, /DATA: 3 deleted rows would come back without Article\.deletedAt/)
  t.match(other, /DATA: deletes every value of Article\.title/)
  t.equal(asked.length, 4, 'other columns are not counted')
})

t.test('M13: moments that the repository keeps are proposed', async (t) => {
  const { migrations } = project(t)
  await migrations([V1]).diff('first')
  const kept = entity({ ...V1.schema, at: { type: 'date' } }, { timestamps: true, softDelete: true })
  const written = await migrations([kept]).diff('kept')
  t.match(written?.source, /name: 'createdAt', type: 'date' \}, \{ fill: new Date\(\) \}/)
  t.match(written?.source, /name: 'at', type: 'date' \}, \{ fill: undefined \}/)
  t.match(written?.source, /name: 'deletedAt', type: 'date', nullable: true \}\)/, 'null says that it is not deleted')
  const back = await migrations([V1]).diff('back')
  t.match(back?.source, /name: 'createdAt', type: 'date' \}, \{ fill: undefined \}/, 'it is kept no more')
})

t.test('M1: a snapshot of an earlier version is completed, and nothing else is written', async (t) => {
  const { migrations, folder, files } = project(t)
  await migrations([V1]).diff('first')
  const path = join(folder, 'snapshot.json')
  const whole = readFileSync(path, 'utf8')
  const earlier = whole.replaceAll(/,\s*"holds": "string"/g, '')
  t.not(earlier, whole)
  writeFileSync(path, earlier)
  t.equal(await migrations([V1]).diff('nothing', { dryRun: true }), null)
  t.equal(readFileSync(path, 'utf8'), earlier, 'a dry run writes nothing')
  t.equal(await migrations([V1]).diff('nothing'), null)
  t.equal(readFileSync(path, 'utf8'), whole)
  t.equal(files().length, 2)
})

t.test('names sort as they were made, also beside names of this second and of the far future', async (t) => {
  const { migrations, folder } = project(t)
  const nameAfter = async (last: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${last}.ts`), 'export default { async up() {} }')
    return (await migrations([V1]).diff('next', { dryRun: true }))?.name
  }
  t.equal(await nameAfter('20260102030404_a'), '20260102030405_next', 'before this second')
  t.equal(await nameAfter('20260102030405_a'), '20260102030406_next', 'in this second')
  t.equal(await nameAfter('20260102040404_a'), '20260102040405_next', 'within an hour')
  t.equal(await nameAfter('20260102040406_a'), '20260102030405_next', 'later than any clock')
  t.equal(await nameAfter('20261399999999_a'), '20260102030405_next', 'no time at all')
})
