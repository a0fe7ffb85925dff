/**
 * Presets: what lies over the template, and that it works as it is generated.
 * In the long run: each preset is built, tested and started.
 */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { presetOf } from '../../src/create/preset.ts'
import { sandbox } from '../support/sandbox.ts'
import { ended, launchNode, runSvc, SvcProcess } from '../support/svc-process.ts'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

t.test('api: a database, accounts and an entity; it builds, passes its tests, and keeps users', async (t) => {
  const parent = sandbox(t)
  const created = await runSvc(['create', 'app', 'shop', '--preset', 'api'], { cwd: parent })
  t.equal(created.code, 0, created.stderr)
  for (const path of [
    '.env.test',
    'controllers/hello.ts',
    'controllers/notes.ts',
    'entities/note.ts',
    'test/notes-access.test.ts'
  ]) {
    t.match(created.stdout, `CREATE shop/${path} (`)
  }
  const cwd = join(parent, 'shop')
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  t.strictSame(Object.keys(manifest.dependencies), [
    '@fastify/error',
    '@fastify/helmet',
    'fastify',
    'pg',
    ...['audit', 'cli', 'decorators', 'host', 'kernel', 'openapi', 'orm', 'security', 'sqlorm'].map(
      (name) => `svc-${name}`
    )
  ])
  t.match(manifest.scripts, { dev: 'svc dev', test: /--env-file=\.env\.test/ })
  t.match(readFileSync(join(cwd, 'README.md'), 'utf8'), /^# shop\n[\s\S]*## Data and accounts\n/)
  t.match(readFileSync(join(cwd, '.env.example'), 'utf8'), /PORT=5151\n[\s\S]*DATABASE_URL=sqlite:data\/app\.db\n/)

  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const built = await runSvc(['build'], { cwd })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const tested = await ended(
    launchNode(['--env-file=.env.test', '--test', '--test-isolation=none', 'dist/test/**/*.test.js'], cwd)
  )
  t.match(tested.stdout, /pass 10\n.*fail 0\n/, tested.stdout)

  const user = ['user:create', 'ada', '--role', 'ROLE_USER', '--password-stdin']
  t.equal((await runSvc(user, { cwd, stdin: 'correct horse battery' })).code, 0)
  const running = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
  const url = await running.address()
  t.equal((await fetch(`${url}/api/notes`)).status, 401)
  const hello = await fetch(`${url}/api/hello`)
  t.match(await hello.json(), { who: 'anonymous' })
  t.equal(hello.headers.get('x-content-type-options'), 'nosniff')
  const policy = hello.headers.get('content-security-policy') ?? ''
  t.match(policy, /default-src 'self'/)
  t.notMatch(policy, 'upgrade-insecure-requests', 'http://localhost stays as it is')
  t.equal(hello.headers.get('strict-transport-security'), null, 'development pins nothing')
  const login = await fetch(`${url}/svc/security/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', password: 'correct horse battery' })
  })
  t.equal(login.status, 200, 'the user was kept')
  const document = (await (await fetch(`${url}/svc/docs/api/json`)).json()) as { paths: object }
  t.ok('/api/notes/{id}' in document.paths)
  t.equal(await running.stop(), 0)
})

/** Created with these flags, built, and its tests passed. @returns its folder */
async function testedApp(t: Test, ...flags: string[]): Promise<string> {
  const parent = sandbox(t)
  const created = await runSvc(['create', 'app', 'shop', ...flags], { cwd: parent })
  t.equal(created.code, 0, created.stderr)
  t.match(created.stdout, /^ {2}npm run dev -- --admin root$/m)
  const cwd = join(parent, 'shop')
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const built = await runSvc(['build'], { cwd })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const tests = readdirSync(join(cwd, 'dist/test')).filter((name) => name.endsWith('.test.js'))
  t.equal(tests.length, 6)
  // The entity alone is kept in memory, which has no classes: its tests load no other.
  for (const some of [tests.filter((name) => name !== 'notes.test.js'), ['notes.test.js']]) {
    const imports = some.map((name) => `await import('./dist/test/${name}')`).join('\n')
    const tested = await ended(launchNode(['--env-file=.env.test', '--input-type=module', '-e', imports], cwd))
    t.match(tested.stdout, /^# \{ total: (\d+), pass: \1 \}$/m, `${flags} ${some}: ${tested.stdout}`)
  }
  return cwd
}

t.test('full keeps its data in SQLite, in production too', async (t) => {
  const cwd = await testedApp(t, '--preset', 'full')
  const running = new SvcProcess(t, ['start'], { cwd, env: { PORT: '0' } })
  const url = await running.address()
  t.match(await (await fetch(`${url}/svc/ops/health/ready`)).json(), { status: 'ok' })
  const { headers } = await fetch(`${url}/`)
  t.match(headers.get('strict-transport-security'), /max-age=31536000/)
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  t.ok(existsSync(join(cwd, 'data/app.db')))
  t.equal(await running.stop(), 0)
})

t.test('full on documents has a Typegoose class, and an engine that production refuses', async (t) => {
  const cwd = await testedApp(t, '--preset', 'full', '--database', 'documents')
  t.match(readFileSync(join(cwd, 'entities/bookmark.ts'), 'utf8'), /from '@typegoose\/typegoose'/)
  const refused = await runSvc(['start'], { cwd, env: { NODE_ENV: 'production', PORT: '0' } })
  t.equal(refused.code, 1)
  t.match(refused.stderr, /SVC_DOCDB_EMBEDDED/, 'production wants a server')

  const user = ['user:create', 'ada', '--role', 'ROLE_USER', '--password-stdin']
  t.equal((await runSvc(user, { cwd, stdin: 'correct horse battery' })).code, 0)
  const running = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
  const login = await fetch(`${await running.address()}/svc/security/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', password: 'correct horse battery' })
  })
  t.equal(login.status, 200, 'the user was kept in documents')
  t.equal(await running.stop(), 0)
})

t.test('names of presets', async (t) => {
  t.match(presetOf('minimal'), { overlays: [], entities: [] })
  t.equal(presetOf('full', 'sql'), presetOf('full'))
  const told = (...given: Parameters<typeof presetOf>) => {
    try {
      presetOf(...given)
    } catch (error) {
      return (error as Error).message
    }
    return 'no refusal'
  }
  t.equal(told('minimum'), 'unknown preset "minimum" (did you mean minimal?)')
  t.equal(told('x'), 'unknown preset "x"')
  t.equal(told('minimal', 'sql'), 'preset minimal has no database')
  t.equal(told('api', 'documents'), 'preset api keeps its data in sql')
})
