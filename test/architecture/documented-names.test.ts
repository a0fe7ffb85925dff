/** Each name that a main entry exports has a doc comment directly above its declaration. */
import { join } from 'node:path'
import t from 'tap'
import { isDocumented, undocumentedNames } from './documented-names.ts'
import { exportsOf } from './exported-names.ts'
import { noFindings } from './no-findings.ts'
import { packageNames, readFile } from './repository.ts'

t.test('what counts as a comment', async (t) => {
  const folder = t.testdir({
    'index.ts': [
      '/** The header of the file. */',
      '',
      "export * from './other.ts'",
      'export const bare = 1',
      '/** Says it. */',
      'export const said = 1',
      '/** Above a blank line. */',
      '',
      'export const apart = 1',
      '/** Above a directive. */',
      '// biome-ignore lint/x: why',
      'export const ignored = 1',
      '/* No doc comment. */',
      'export const plain = 1',
      '/** Of the overload. */',
      'export function twice(a: string): void',
      'export function twice(a: number): void',
      'export function twice() {}'
    ].join('\n'),
    'other.ts': [
      "import { elsewhere } from 'svc-elsewhere'",
      'interface Hidden {}',
      '/** Said here, exported below. */',
      'class Listed {}',
      'export { elsewhere, type Hidden as Shown, Listed }'
    ].join('\n')
  })
  const declarations = exportsOf(join(folder, 'index.ts'))
  const found = [...declarations].filter(([, each]) => isDocumented(each)).map(([name]) => name)
  t.strictSame(found.sort(), ['Listed', 'ignored', 'said', 'twice'])
  t.strictSame([...declarations.keys()].filter((name) => !found.includes(name)).sort(), [
    'Shown',
    'apart',
    'bare',
    'elsewhere',
    'plain'
  ])
  t.equal(declarations.get('elsewhere')?.from, 'svc-elsewhere')
  t.equal(declarations.get('Shown')?.name, 'Hidden')
})

for (const name of packageNames()) {
  t.test(name, async (t) => {
    const entry = `plugins/${name}/src/index.ts`
    noFindings(t, undocumentedNames(entry), 'each name of the main entry has its comment')
    t.ok(readFile(entry).text.startsWith(`/**\n * ${name}: `), 'its header says what the default export is')
  })
}
