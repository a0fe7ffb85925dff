/** `svc doctor` on the real process: what would hurt in production ends it with 1, each with its fix. */
import t from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

interface Diagnosis {
  readonly ok: boolean
  readonly problems: readonly { readonly code: string; readonly fix?: string }[]
  readonly hints: readonly { readonly code: string; readonly fix?: string }[]
  readonly kept?: readonly object[]
}

async function diagnosis(cwd: string, flags: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runSvc(['doctor', '--json', ...flags], { cwd, env })
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as Diagnosis) }
}

const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code)

t.test('a new application has nothing that would hurt', async (t) => {
  const cwd = await createdApp(t)
  const { code, stdout, stderr } = await runSvc(['doctor'], { cwd })
  t.equal(code, 0, stderr)
  t.equal(stdout, 'nothing that would hurt in production\n')
})

t.test('another mode, a proxy without a drain, a stop that is too long', async (t) => {
  const cwd = await createdApp(t)
  const development = await diagnosis(cwd, [], { NODE_ENV: 'development' })
  t.match(development, { code: 1, ok: false })
  t.strictSame(codes(development.problems), ['SVC_DOCTOR_MODE'])

  await edit(cwd, 'svc.config.ts', ['port: env.PORT }', "port: env.PORT, trustProxy: '10.0.0.0/8' }"])
  const proxied = await diagnosis(cwd)
  t.equal(proxied.code, 1)
  t.strictSame(codes(proxied.problems), ['SVC_DOCTOR_DRAIN'])
  const text = await runSvc(['doctor'], { cwd })
  t.equal(text.code, 1)
  t.match(text.stderr, /SVC_DOCTOR_DRAIN[\s\S]*at: server\.drainDelayMs[\s\S]*fix: drainDelayMs: 15_000/)

  await edit(cwd, 'svc.config.ts', ["'10.0.0.0/8' }", "'10.0.0.0/8', drainDelayMs: 20_000 }"])
  const slow = await diagnosis(cwd)
  t.match(slow, { code: 0, ok: true, problems: [] }, 'a supervisor may be as patient')
  t.strictSame(codes(slow.hints), ['SVC_DOCTOR_GRACE'])
})

t.test('a dependency that does not answer, and a warning of the boot', async (t) => {
  const cwd = await createdApp(t)
  await write(
    cwd,
    'away.ts',
    `import { definePlugin, warnAtBoot } from 'svc-kernel'
    export const away = definePlugin(async (fastify) => {
      fastify.healthChecks.add('ledger', () => { throw new Error('refused') })
      warnAtBoot(fastify, { code: 'APP_WARNS', message: 'look out' })
    }, { name: 'away' })`
  )
  await edit(
    cwd,
    'svc.config.ts',
    ["import { env } from './env.ts'", "import { env } from './env.ts'\nimport { away } from './away.ts'"],
    ["[svcDecorators, { dir: './controllers' }]", "[svcDecorators, { dir: './controllers' }],\n    away"]
  )
  const { code, problems } = await diagnosis(cwd)
  t.equal(code, 1)
  t.match(problems, [
    { code: 'APP_WARNS', message: 'look out' },
    { code: 'SVC_DOCTOR_OUTAGE', at: 'ledger' }
  ])
})

t.test('a clock that differs from that of the database', async (t) => {
  const cwd = await createdApp(t)
  await write(
    cwd,
    'databases.ts',
    `import { definePlugin } from 'svc-kernel'
    const database = (name, ms) => ({ name, vendor: 'postgresql', connection: { target: '' }, connected: true,
      now: async () => { if (ms === null) throw new Error('away'); return Date.now() + ms } })
    const connectors = [database('right', 0), database('fast', 3600_000), database('slow', -3600_000), database('away', null)]
    export const databases = definePlugin(async (fastify) => {
      fastify.decorate('orm', { connectors: () => connectors })
    }, { name: 'databases' })`
  )
  await edit(
    cwd,
    'svc.config.ts',
    ["import { env } from './env.ts'", "import { env } from './env.ts'\nimport { databases } from './databases.ts'"],
    ["[svcDecorators, { dir: './controllers' }]", "[svcDecorators, { dir: './controllers' }],\n    databases"]
  )
  const { code, problems } = await diagnosis(cwd)
  t.equal(code, 1)
  t.match(problems, [
    { code: 'SVC_DOCTOR_CLOCK', at: 'fast', got: /is 3[56]\d{5} ms ahead$/ },
    { code: 'SVC_DOCTOR_CLOCK', at: 'slow', got: /is 36\d{5} ms behind$/ }
  ])
  t.equal(problems.length, 2)
})

t.test('--instances: what each store is kept in, and whether instances share it', async (t) => {
  const cwd = await createdApp(t, 'full')
  const kept = await diagnosis(cwd, ['--instances'])
  t.match(
    kept.kept?.find((each) => (each as { name: string }).name === 'store session'),
    { keptIn: 'sqlorm', shared: true }
  )
  t.ok(codes(kept.hints).includes('SVC_DOCTOR_EMBEDDED'))
  const { stdout } = await runSvc(['doctor', '--instances'], { cwd })
  t.match(stdout, /^WHAT +KEPT IN +SHARED\n[\s\S]*^store session +sqlorm +yes$/m)
})
