/** Lines of options in the text of a config file. */
import t from 'tap'
import { locateOption } from '../../src/config/locate-option.ts'

const text = `/**
 * modules: what loads. server: { port }, svcSecurity { areas: {} }
 */
import decorators from 'svc-decorators'
import { defineConfig } from 'svc-host'
import svcSecurity from 'svc-security'
import * as other from "svc-other"

// server: { prot: 1 }
export default defineConfig({
  mode: 'developement',
  server: { host: '127.0.0.1', prot: 5151 },
  name,
  modules: [
    [
      svcSecurity,
      {
        /* areas: */
        areas: {
          api: { pattern: '^/api, [x', authenticators: [
            'jwt',
            'anonymus'
          ] },
          'admin-area': { authenticators: ['jwt'], patern: '^/admin' }
        },
        jury: { areas: { deep: true } },
        roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] }
      }
    ],
    plain,
    [decorators, { dir: './controllers',
      patern: 1 }],
    undefined
  ]
})
`

const rows: ReadonlyArray<[path: string, line: number | null]> = [
  ['mode', 11],
  ['server', 12],
  ['server.prot', 12],
  ['server.missing', 12],
  ['name', 13],
  ['modules', 14],
  ['modules[0]', 15],
  ['modules[1]', 30],
  ['modules[2]', 31],
  ['modules[3]', 33],
  ['modules[9]', 14],
  ['svc-security', 16],
  ['svc-security.areas', 19],
  ['svc-security.areas.api.authenticators', 20],
  ['svc-security.areas.api.authenticators[0]', 21],
  ['svc-security.areas.api.authenticators[1]', 22],
  ['svc-security.areas.api.missing', 20],
  ['svc-security.areas.admin-area.patern', 24],
  ['svc-security.jury.areas.deep', 26],
  ['svc-security.roleHierarchy.ROLE_ADMIN[0]', 27],
  ['svc-security.nowhere', 16],
  ['svc-decorators.dir', 31],
  ['svc-decorators.patern', 32],
  ['svc-unknown.x', null],
  ['svc-unknown', null]
]

for (const [path, line] of rows) {
  t.test(`${path} ${line}`, async (t) => {
    t.equal(locateOption(text, path), line)
  })
}

t.test('a text without a list of modules, or none at all', async (t) => {
  t.equal(locateOption('export default app\n', 'svc-security.areas'), null)
  t.equal(locateOption('', 'modules[0]'), null)
})

t.test('the compiled form of the file', async (t) => {
  const compiled =
    "import svcX from 'svc-x';\nexport default defineConfig({ modules: [\n [svcX, { a: 1,\n b: 2 }] ] });\n"
  t.equal(locateOption(compiled, 'svc-x.b'), 4)
})

t.test('an unfinished text ends the search', async (t) => {
  t.equal(locateOption("modules: [[svcX, { 'a", 'svc-x.a'), 1)
})
