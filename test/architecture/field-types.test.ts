/** A field type is one object: no other source has a list of them. */
import t from 'tap'
import { PACKAGE_SOURCES, readFiles } from './repository.ts'

/** Names that are types of fields and nothing else; a file with most of them has a list. */
const NAMES = ['decimal', 'day', 'uuid', 'enum', 'bigint', 'email', 'interval', 'money']

/** Where a list stands apart, and why. */
const APART: readonly (readonly [path: RegExp, why: string])[] = [
  [/^plugins\/svc-orm\/src\/fields\//, 'the objects and their registry'],
  [/^plugins\/[\w-]+\/src\/conformance\//, 'an oracle takes nothing from what it judges'],
  [/^plugins\/svc-cli\/src\/create\//, 'the generator writes entities without loading svc-orm']
]

function namesIn(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return NAMES.filter((name) => new RegExp(`'${name}'|^\\s*${name}\\??:`, 'm').test(code))
}

t.test('what a list is', async (t) => {
  t.strictSame(namesIn("const a = ['decimal', 'day']\n"), ['decimal', 'day'])
  t.strictSame(namesIn('const a = {\n  uuid: 1,\n  enum: 2\n}\n'), ['uuid', 'enum'])
  t.strictSame(namesIn("/** 'decimal', 'day' */\nconst uuid = 'uuids'\n"), [])
})

t.test('no source has one', async (t) => {
  const files = readFiles(...PACKAGE_SOURCES)
  t.ok(files.length > 500)
  for (const { path, text } of files.filter(({ path }) => !APART.some(([apart]) => apart.test(path)))) {
    const names = namesIn(text)
    if (names.length > 3)
      t.fail(`${path} lists ${names.join(', ')}; fix: read the object of the type (svc-orm/src/fields)`)
  }
  for (const [path, why] of APART)
    t.ok(
      files.some((file) => path.test(file.path) && namesIn(file.text).length > 0),
      why
    )
})
