/** `svc config:check` on the real process: one report for every kind of mistake. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

t.test('a configuration that is right, one with mistakes of several kinds', async (t) => {
  const cwd = await createdApp(t)
  const right = await runSvc(['config:check'], { cwd })
  t.equal(right.code, 0, right.stderr)
  t.equal(right.stdout, 'svc.config.ts is valid: svc-security, svc-decorators\n')
  t.strictSame(JSON.parse((await runSvc(['config:check', '--json'], { cwd })).stdout), {
    ok: true,
    modules: ['svc-security', 'svc-decorators'],
    problems: []
  })

  await t.test('options of two modules, in one report', async (t) => {
    await edit(cwd, 'svc.config.ts', ['pattern:', 'patern:'])
    await edit(cwd, 'svc.config.ts', ['dir:', 'dirr:'])
    const { code, stdout, stderr } = await runSvc(['config:check'], { cwd })
    t.equal(code, 1)
    t.equal(stdout, '')
    t.match(stderr, /at: svc\.config\.ts:\d+ {2}svc-security\.areas\.api\.patern/)
    t.match(stderr, /at: svc\.config\.ts:\d+ {2}svc-decorators\.dirr/)
    const json = JSON.parse((await runSvc(['config:check', '--json'], { cwd })).stdout)
    t.equal(json.ok, false)
    t.ok(json.problems.length >= 2)
    await edit(cwd, 'svc.config.ts', ['patern:', 'pattern:'])
    await edit(cwd, 'svc.config.ts', ['dirr:', 'dir:'])
  })

  await t.test('what only the modules know: a role that inherits itself', async (t) => {
    await edit(cwd, 'svc.config.ts', [
      "ROLE_ADMIN: ['ROLE_USER']",
      "ROLE_ADMIN: ['ROLE_USER'], ROLE_USER: ['ROLE_ADMIN']"
    ])
    const { code, stderr } = await runSvc(['config:check'], { cwd })
    t.equal(code, 1)
    t.match(stderr, /ROLE_ADMIN → ROLE_USER → ROLE_ADMIN/)
    await edit(cwd, 'svc.config.ts', [", ROLE_USER: ['ROLE_ADMIN']", ''])
  })

  await t.test('an environment variable', async (t) => {
    const { code, stderr } = await runSvc(['config:check'], { cwd, env: { PORT: 'abc' } })
    t.equal(code, 1)
    t.match(stderr, /at: PORT\n {2}got "abc", expected an integer from 0 to 65535/)
    const json = JSON.parse((await runSvc(['config:check', '--json'], { cwd, env: { PORT: 'abc' } })).stdout)
    t.match(json, { ok: false, problems: [{ at: 'PORT' }] })
  })
})

t.test('plugins are told to connect to nothing, which explain does not tell them', async (t) => {
  const cwd = await createdApp(t)
  const driver = `import { writeFileSync } from 'node:fs'
    import { appHost, definePlugin } from 'svc-kernel'
    export const driver = definePlugin(async (fastify) => {
      fastify.addHook('onReady', async () => {
        if (!appHost(fastify).checkOnly) writeFileSync('connected', '')
      })
    }, { name: 'driver', optionsSchema: { type: 'object', additionalProperties: false } })`
  await write(cwd, 'driver.ts', driver)
  await edit(cwd, 'svc.config.ts', ['modules: [', 'modules: [driver,'], ['', "import { driver } from './driver.ts'\n"])
  t.equal(
    (await runSvc(['config:check'], { cwd })).stdout,
    'svc.config.ts is valid: driver, svc-security, svc-decorators\n'
  )
  t.notOk(existsSync(join(cwd, 'connected')))
  t.equal((await runSvc(['explain', 'GET', '/api/hello'], { cwd })).code, 0)
  t.ok(existsSync(join(cwd, 'connected')))
})
