/** The scanner sees every form of import, and nothing that only looks like one. */
import t from 'tap'
import { packageNamed, scanImports } from './scan-imports.ts'

const rows: [what: string, source: string, expected: [specifier: string, line: number, typeOnly: boolean][]][] = [
  ['a default import', "import a from 'x'", [['x', 1, false]]],
  ['named imports over lines', "import {\n  a,\n  type B\n} from 'x'", [['x', 1, false]]],
  ['default and named', "import a, { b } from 'x'", [['x', 1, false]]],
  ['a namespace', "import * as a from 'x'", [['x', 1, false]]],
  ['a type import', "import type { A } from 'x'", [['x', 1, true]]],
  ['a type import over lines', "\nimport type {\n  A\n} from './a.ts'", [['./a.ts', 2, true]]],
  ['a default type import', "import type A from 'x'", [['x', 1, true]]],
  ['a value named type', "import type from 'x'", [['x', 1, false]]],
  ['a re-export', "export { a } from 'x'", [['x', 1, false]]],
  [
    'a re-export of everything',
    "export * from 'x'\nexport * as y from 'y'",
    [
      ['x', 1, false],
      ['y', 2, false]
    ]
  ],
  ['a type re-export', "export type { A } from 'x'", [['x', 1, true]]],
  ['a side effect', "import 'x'", [['x', 1, false]]],
  ['a dynamic import', "const a = await import('x')", [['x', 1, false]]],
  ['a dynamic import over lines', "const a = import(\n  'x'\n)", [['x', 1, false]]],
  ['the type of a module', "let a: typeof import('x')", [['x', 1, true]]],
  ['an import beside an exported constant', "export const a = 1\nimport { b } from 'x'", [['x', 2, false]]],
  ['an import in a comment', "// import a from 'x'\n/* import 'y' */", []],
  ['an import in a string', "const a = `import b from 'x'`\nconst c = \"import 'y'\"", []],
  ['a method named import', "a.import('x')", []],
  ['a function named from', "export function from() {}\nfrom('x')", []]
]

for (const [what, text, expected] of rows) {
  t.test(what, async (t) => {
    const found = scanImports({ path: 'a.ts', text }).map(({ specifier, line, typeOnly }) => [
      specifier,
      line,
      typeOnly
    ])
    t.strictSame(found, expected)
  })
}

t.test('the package of a specifier', async (t) => {
  t.equal(packageNamed('fastify'), 'fastify')
  t.equal(packageNamed('fastify-cli/generate.js'), 'fastify-cli')
  t.equal(packageNamed('@fastify/error/types'), '@fastify/error')
  t.equal(packageNamed('./fastify.ts'), null)
  t.equal(packageNamed('node:fs'), null)
})
