/** P9: a comma that is missing between two modules is found, and nothing else is taken for one. */
import t from 'tap'
import { checkConfig } from '../../src/config/check-config.ts'
import type { SvcConfig } from '../../src/config/define-config.ts'
import { missingCommaProblem } from '../../src/config/missing-comma.ts'

const config = (...modules: string[]) =>
  ['export default defineConfig({', '  modules: [', ...modules, '  ]', '})'].join('\n')

for (const [title, text, line] of [
  ['two lists', config('    [security, { areas: {} }]', "    [decorators, { dir: './controllers' }]"), 3],
  ['a plugin and a list', config('    security', '    [decorators, {}]'), 3],
  ['a call and a list', config('    await database(env)', '    [decorators, {}]'), 3],
  ['the second of three', config('    [a, {}],', '    [b, {', '      c: [1]', '    }]', '    [d, {}]'), 6],
  ['with a comment between', config('    [a, {}] // the first', '    /* and */', '    [b, {}]'), 3],
  ['behind a spread', config('    ...others', '    [b, {}]'), 3],
  ['none', config('    [a, {}],', '    b,', '    [c, { d: [1], e: f[0] }]'), null],
  ['lists in options alone', config("    [a, { b: [['x'], ['y']] }]"), null],
  ['a list that is awaited', config('    await [a, {}]'), null],
  ['no modules', 'export default defineConfig({ moduls: [a [b]] })', null],
  ['an empty list', config(), null]
] as const) {
  t.test(`P9: ${title}`, async (t) => {
    const problem = missingCommaProblem({ file: 'svc.config.ts', text })
    if (line === null) t.equal(problem, null)
    else {
      t.match(problem, {
        code: 'SVC_MODULE_INVALID',
        at: `svc.config.ts:${line}  modules`,
        fix: `put a comma at the end of line ${line}`
      })
    }
  })
}

t.test('P9: the config that came of it is refused with that line alone', async (t) => {
  const text = config('    [security, {}]', '    [decorators, {}]')
  const { problems } = checkConfig({ modules: [undefined] } as unknown as SvcConfig, { file: 'svc.config.ts', text })
  t.match(problems, [{ message: /a comma is missing/, at: 'svc.config.ts:3  modules' }])
  t.equal(problems.length, 1)
  const whole = config('    [security, {}],', '    decorators')
  const other = checkConfig({ modules: [undefined] } as unknown as SvcConfig, { file: 'svc.config.ts', text: whole })
  t.match(other.problems, [{ got: 'undefined', fix: /check the import/ }], 'without one, the import is to be looked at')
})
