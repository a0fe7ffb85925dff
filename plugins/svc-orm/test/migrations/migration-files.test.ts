/** The folder of migrations: which of its files are migrations, what is wrong with one, and the snapshot. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MigrationFiles } from '../../src/migrations/migration-files.ts'
import { problemsOf } from '../support/migrated-project.ts'

const PLAIN = 'export default { async up() {} }\n'

function folder(t: Test, files: Readonly<Record<string, string>> = {}) {
  const path = mkdtempSync(join(import.meta.dirname, 'files-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return { path, files: new MigrationFiles(path) }
}

t.test(
  'migrations are files named by a time and words, in order; a source comes before what was built of it',
  async (t) => {
    const { path, files } = folder(t, {
      '20260102000000_b.js': 'export default { async up() {}, built: true }',
      '20260102000000_b.ts': PLAIN,
      '20260102000000_b.d.ts': '',
      '20260101000000_a.mjs': 'export default { async up() {}, built: true }',
      '20260101000000_a.mts': PLAIN,
      '20260103000000_c_2.cjs': 'module.exports = { async up() {} }',
      '20260104000000_d.json': '{}',
      '20260104000000_D.ts': PLAIN,
      '20260104_d.ts': PLAIN,
      'x20260104000000_d.ts': PLAIN,
      '20260104000000_d.ts.txt': '',
      [`20260104000000_${'d'.repeat(81)}.ts`]: PLAIN,
      'readme.md': ''
    })
    t.strictSame(await files.names(), ['20260101000000_a', '20260102000000_b', '20260103000000_c_2'])
    const loaded = await files.load()
    t.strictSame(
      loaded.map(({ name }) => name),
      ['20260101000000_a', '20260102000000_b', '20260103000000_c_2']
    )
    t.equal(
      loaded[1]?.checksum,
      createHash('sha256')
        .update(readFileSync(join(path, '20260102000000_b.ts')))
        .digest('hex')
    )
    t.equal(loaded[0]?.checksum, loaded[1]?.checksum)
    t.equal(loaded[0]?.down, null)
  }
)

t.test('a folder that is not there is empty; one that cannot be read is not', async (t) => {
  const { path } = folder(t, { file: '' })
  for (const place of [join(path, 'none'), join(path, 'file')]) {
    const files = new MigrationFiles(place)
    t.strictSame([await files.names(), await files.load(), await files.snapshot()], [[], [], null])
  }
  mkdirSync(join(path, 'snapshot.json'))
  await t.rejects(new MigrationFiles(path).snapshot(), { code: 'EISDIR' })
})

t.test('what is no migration is told, with its file and what is wrong with it', async (t) => {
  const rows: readonly (readonly [source: string, message: RegExp])[] = [
    ['export default 5', /its default export is not a migration/],
    ['export const up = () => {}', /its default export is not a migration/],
    ['export default { async up() {}, down: 5 }', /its default export is not a migration/],
    ['export default { async down() {} }', /its default export is not a migration/],
    ['import "nothing-here"', /cannot be loaded: .*nothing-here/],
    ['throw "first\\nsecond"', /cannot be loaded: first$/],
    ['const = 1', /cannot be loaded/]
  ]
  for (const [source, message] of rows) {
    const { files } = folder(t, { '20260101000000_a.ts': source })
    const [problem, ...others] = await problemsOf(files.load())
    t.match(problem, { code: 'SVC_ORM_MIGRATION_FILE', message, at: /20260101000000_a\.ts$/, fix: 'correct the file' })
    t.strictSame(others, [])
  }
})

t.test('a file that was changed meanwhile is another module; the ends of lines are not what counts', async (t) => {
  const { path, files } = folder(t)
  const name = '20260101000000_a.ts'
  const load = async (text: string) => {
    writeFileSync(join(path, name), text)
    const [loaded] = await files.load()
    return loaded
  }
  const source = (of: string) => `export default {\n  async up(m) { m.push('${of}') },\n  async down() {}\n}\n`
  const [one, same, two] = [
    await load(source('1')),
    await load(source('1').replaceAll('\n', '\r\n')),
    await load(source('2'))
  ]
  t.equal(same?.checksum, one?.checksum)
  t.not(two?.checksum, one?.checksum)
  const ran: string[] = []
  for (const each of [one, two]) await each?.up(ran as never)
  t.strictSame(ran, ['1', '2'])
  t.type(one?.down, 'function')
})

t.test('the snapshot is read as it was written; another form is refused', async (t) => {
  const { path, files } = folder(t)
  const shape = { Article: { columns: [{ name: 'id', type: 'id' }], indexes: [] } } as const
  const name = '20260101000000_a'
  t.strictSame(await files.write([{ name, source: PLAIN }], shape), [
    join(path, `${name}.ts`),
    join(path, 'snapshot.json')
  ])
  t.strictSame(await files.snapshot(), shape)
  t.strictSame(readdirSync(path), [`${name}.ts`, 'snapshot.json'])
  t.match(JSON.parse(readFileSync(join(path, 'snapshot.json'), 'utf8')), { format: 1, entities: shape })
  await t.rejects(files.write([{ name, source: 'other' }], {}), { code: 'EEXIST' }, 'no file is written over')
  t.strictSame(await files.snapshot(), shape)
  for (const text of [
    '',
    '[]',
    '{ "format": 2, "entities": {} }',
    '{ "format": 1 }',
    '{ "format": 1, "entities": null }'
  ]) {
    writeFileSync(join(path, 'snapshot.json'), text)
    t.match(await problemsOf(files.snapshot()), [{ code: 'SVC_ORM_MIGRATION_SNAPSHOT', at: /snapshot\.json$/ }], text)
  }
})

t.test('a snapshot is completed where there is one', async (t) => {
  const { path, files } = folder(t)
  await files.complete({})
  t.strictSame(readdirSync(path), [])
  await files.write([], {})
  const shape = { Article: { columns: [], indexes: [] } }
  await files.complete(shape)
  t.strictSame(await files.snapshot(), shape)
})
