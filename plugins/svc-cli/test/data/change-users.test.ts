/** `svc user:list`, `user:roles`, `user:reset` and `svc info` on a real database, after `user:create`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

t.test('N7: users are listed, changed and reset beside a running server', async (t) => {
  const cwd = await createdApp(t, 'api')
  const svc = (args: string[], stdin = '') => runSvc(args, { cwd, stdin })
  const running = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
  const url = await running.address()
  const login = async (password: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'ada', password })
    const answer = await fetch(`${url}/svc/security/api/auth/login`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return { status: answer.status, cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] as string }
  }
  t.equal((await svc(['user:create', 'ada', '--role', 'ROLE_USER', '--password-stdin'], 'correct horse')).code, 0)
  const { cookie } = await login('correct horse')
  const me = async () => (await fetch(`${url}/svc/security/api/auth/me`, { headers: { cookie } })).json()
  t.match(await me(), { user: { roles: ['ROLE_USER'] } })

  t.match((await svc(['user:roles', 'ada', '--role', 'ROLE_A', '--role', 'ROLE_B'])).stdout, 'ada has ROLE_A, ROLE_B')
  t.match(await me(), { user: { roles: ['ROLE_A', 'ROLE_B'] } }, 'from the next request on')
  t.match((await svc(['user:list'])).stdout, /^USER +ROLES +STATE\nada +ROLE_A, ROLE_B +active\n$/)

  const reset = await svc(['user:reset', 'ada', '--password-stdin'], 'other horse')
  t.equal(reset.code, 0, reset.stderr)
  t.match(reset.stdout, /all earlier sessions, tokens and API keys ended/)
  t.match(await me(), { statusCode: 401 }, 'the session is over')
  t.equal((await login('correct horse')).status, 401)
  t.equal((await login('other horse')).status, 200)
  const unknown = await svc(['user:reset', 'bob', '--password-stdin'], 'other horse')
  t.equal(unknown.code, 1)
  t.match(unknown.stderr, /SVC_USER_UNKNOWN[\s\S]*fix:/)

  const info = await svc(['info', '--json'])
  t.equal(info.code, 0, info.stderr)
  t.match(JSON.parse(info.stdout), {
    name: 'shop',
    mode: 'development',
    stores: { user: 'sqlorm', session: 'sqlorm', audit: 'sqlorm' },
    databases: [{ vendor: 'sqlite', connected: true }]
  })
  t.match((await svc(['info'])).stdout, /MODULE +VERSION +OPTIONS\n(?:.*\n)*svc-security +\d/)
})

t.test('N7: voter, authenticator and test are generated, with tests that pass', async (t) => {
  const cwd = await createdApp(t, 'api')
  for (const [kind, files] of Object.entries({
    voter: ['voters/late-orders.ts', 'test/late-orders-voter.test.ts'],
    authenticator: ['authenticators/late-orders.ts', 'test/late-orders-authenticator.test.ts'],
    test: ['test/late-orders.test.ts']
  })) {
    const dry = await runSvc(['create', kind, 'late-orders', '--dry-run'], { cwd })
    t.match(dry.stdout, 'Nothing was written')
    const made = await runSvc(['create', kind, 'late-orders'], { cwd })
    t.equal(made.code, 0, made.stderr)
    for (const file of files) {
      t.match(made.stdout, `CREATE ${file} (`)
      t.ok(readFileSync(join(cwd, file), 'utf8').length > 0)
    }
    const again = await runSvc(['create', kind, 'late-orders'], { cwd })
    t.match(again.stderr, 'SVC_CREATE_EXISTS')
    t.match((await runSvc(['create', kind, 'LateOrders'], { cwd })).stderr, `fix: npx svc create ${kind} late-orders`)
  }
  const built = await runSvc(['build'], { cwd })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const { ended, launchNode } = await import('../support/svc-process.ts')
  const tested = await ended(
    launchNode(['--env-file=.env.test', '--test', '--test-isolation=none', 'dist/test/late-orders*.test.js'], cwd)
  )
  t.match(tested.stdout, /pass 4\n.*fail 0\n/, tested.stdout)
})
