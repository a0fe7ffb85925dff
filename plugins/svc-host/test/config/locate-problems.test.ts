/** Problems of a boot: those that name an option get its line, all others stay as they were thrown. */
import { BootError } from 'svc-kernel'
import t from 'tap'
import { locateProblems } from '../../src/config/locate-problems.ts'

const text = 'export default defineConfig({\n  modules: [\n    [svcA, {\n      roles: { ROLE_A: [] }\n    }]\n  ]\n})\n'

/** What comes out when a boot throws. */
async function thrownBy(configFile: string | undefined, error: unknown): Promise<unknown> {
  try {
    return await locateProblems({ configFile }, () => Promise.reject(error))
  } catch (thrown) {
    return thrown
  }
}

t.test('what a boot gives is given', async (t) => {
  t.equal(await locateProblems({ configFile: undefined }, async () => 7), 7)
})

const rows: ReadonlyArray<readonly [title: string, at: string | undefined, located: string | undefined]> = [
  ['an option', 'svc-a.roles.ROLE_A', 'svc.config.ts:4  svc-a.roles.ROLE_A'],
  ['an option that the text does not show', 'svc-a.maxAge', 'svc.config.ts:3  svc-a.maxAge'],
  ['a whole module', 'svc-a', 'svc.config.ts:3  svc-a'],
  ['a module that is not listed', 'svc-b.size', 'svc.config.ts  svc-b.size'],
  ['a file', 'controllers/ping.ts:12', 'controllers/ping.ts:12'],
  ['a config file of that name', 'svc-a/svc.config.ts:3', 'svc-a/svc.config.ts:3'],
  ['a name of the environment', 'SVC_WEBHOOK_KEY', 'SVC_WEBHOOK_KEY'],
  ['what has its line already', 'svc.config.ts:9  svc-a.roles', 'svc.config.ts:9  svc-a.roles'],
  ['no place', undefined, undefined]
]

for (const [title, at, located] of rows) {
  t.test(title, async (t) => {
    const configFile = `${t.testdir({ 'svc.config.ts': text })}/svc.config.ts`
    const other = { code: 'SVC_X', message: 'other', at: 'svc-a' }
    const error = new BootError([{ code: 'SVC_X', message: 'wrong', at }, other])
    const thrown = (await thrownBy(configFile, error)) as BootError
    t.match(thrown.problems, [
      { message: 'wrong', at: located },
      { message: 'other', at: 'svc.config.ts:3  svc-a' }
    ])
    t.equal(thrown.cause, error)
    t.match(thrown.message, 'svc.config.ts:3')
  })
}

t.test('thrown as it was: no option, no config file, no problem of ours', async (t) => {
  const configFile = `${t.testdir({ 'svc.config.ts': text })}/svc.config.ts`
  const problem = { code: 'SVC_X', message: 'wrong', at: 'svc-a' }
  for (const [path, error] of [
    [configFile, new BootError([{ ...problem, at: 'app.ts:1' }])],
    [undefined, new BootError([problem])],
    [`${configFile}.gone`, new BootError([problem])],
    [configFile, new Error('no luck')]
  ] as const) {
    t.equal(await thrownBy(path, error), error)
  }
})
