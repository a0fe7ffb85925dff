/** A module is written into a config text at its place, or not at all. */
import t from 'tap'
import { insertModule } from '../../src/modules/insert-module.ts'
import type { KnownModule } from '../../src/modules/known-modules.ts'
import { findModuleList, moduleListLine } from '../../src/modules/module-list.ts'

const sql: KnownModule = {
  package: 'svc-sqlorm',
  local: 'svcSqlorm',
  entry: ['// Tables.', '[svcSqlorm, {}]'],
  with: []
}

const text = `/** modules: [ of a comment */
import a from 'a'
import { env } from './env.ts'

export default defineConfig({
  name: 'modules: [',
  modules: [
    [a, { list: [1, { x: ']' }] }],

    // What b is for.
    b,
    [
      c,
      {}
    ]
  ]
})
`

t.test('in front, between, at the end', async (t) => {
  const front = insertModule(text, sql, 0) ?? ''
  t.match(front, "import a from 'a'\nimport svcSqlorm from 'svc-sqlorm'\nimport { env }")
  t.match(front, '  modules: [\n    // Tables.\n    [svcSqlorm, {}],\n    [a, {')
  t.match(insertModule(text, sql, 1), '    // Tables.\n    [svcSqlorm, {}],\n    // What b is for.\n    b,\n')
  t.match(insertModule(text, sql, 3), '      {}\n    ],\n    // Tables.\n    [svcSqlorm, {}]\n  ]\n})\n')
  const comma = text.replace('    ]\n  ]', '    ],\n  ]')
  t.match(insertModule(comma, sql, 3), '    ],\n    // Tables.\n    [svcSqlorm, {}],\n  ]\n})\n')
  for (const place of [0, 1, 2, 3]) {
    const edited = insertModule(text, sql, place) ?? ''
    const names = ['a', 'b', 'c'].toSpliced(place, 0, 'svcSqlorm')
    t.strictSame(
      findModuleList(edited)?.entries.map(({ name }) => name),
      names
    )
  }
})

t.test('into an empty list', async (t) => {
  const empty = "import { defineConfig } from 'svc-kernel'\nexport default defineConfig({\n  modules: []\n})\n"
  t.match(insertModule(empty, sql, 0), '  modules: [\n    // Tables.\n    [svcSqlorm, {}]\n  ]\n})\n')
})

const unsure: ReadonlyArray<readonly [what: string, text: string]> = [
  ['no list', "import a from 'a'\nexport default a\n"],
  ['a list from elsewhere', "import modules from './m.ts'\nexport default { modules }\n"],
  ['two lists', "import a from 'a'\nconst x = { modules: [a] }\nexport default { modules: [a] }\n"],
  ['a spread', text.replace('    b,', '    ...more,')],
  ['a condition', text.replace('    b,', '    (dev && b),')],
  ['one line', "import a from 'a'\nexport default { modules: [a, b] }\n"],
  ['no imports', 'export default {\n  modules: [\n    a\n  ]\n}\n'],
  ['the module is there already', text.replace('    b,', '    svcSqlorm,')],
  ['a comment after the last entry', text.replace('    ]\n  ]', '    ] // last\n  ]')],
  ['never closed', text.replace('  ]\n})', '')]
]

for (const [what, given] of unsure) {
  t.test(`${what}: nothing is edited`, async (t) => {
    const places = findModuleList(given)?.entries.length ?? 0
    t.equal(insertModule(given, sql, places), null)
  })
}

t.test('the line of the list', async (t) => {
  t.equal(moduleListLine(text), 7)
  t.equal(findModuleList(text)?.line, 7)
  t.equal(moduleListLine('export default {}'), null)
})
