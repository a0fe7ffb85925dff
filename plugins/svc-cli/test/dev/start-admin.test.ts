/** `svc dev --admin`: the administrator of a start, as a person signs in with what was printed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const API = '/svc/security/api'

function login(url: string, password: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'root', password })
  return fetch(`${url}${API}/auth/login`, { method: 'POST', headers, body })
}

t.test('a new password at each start; what the one before let in ends', async (t) => {
  const cwd = await createdApp(t, 'full')
  const starts: { password: string; cookie: string }[] = []
  for (const earlier of [undefined, 0]) {
    const server = new SvcProcess(t, ['dev', '--admin', 'root'], { cwd, env: { PORT: '0' } })
    const url = await server.address()
    const [, password = ''] = await server.says(
      / console {8}http\S+\/svc\/console {2}sign in as root, password (\w+)\n/
    )
    await server.says(/ API reference {2}http\S+\/svc\/docs\/api\/\n {2}try next {7}npx svc create entity /)
    const answer = await login(url, password)
    t.equal(answer.status, 200)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    t.equal((await fetch(`${url}/svc/console`, { headers: { cookie, accept: 'text/html' } })).status, 200)
    for (const path of ['/', '/svc/docs/api/']) t.equal((await fetch(url + path)).status, 200, path)

    const before = earlier === undefined ? undefined : starts[earlier]
    if (before !== undefined) {
      t.not(password, before.password)
      t.equal((await login(url, before.password)).status, 401)
      t.equal((await fetch(`${url}${API}/auth/me`, { headers: { cookie: before.cookie } })).status, 401)
    }
    starts.push({ password, cookie })
    t.equal(await server.stop(), 0)
    t.notOk(readFileSync(join(cwd, 'data/app.db')).includes(password), 'nowhere in clear')
    t.equal((await runSvc(['user:roles', 'root'], { cwd })).code, 0, 'the next start gives the role back')
  }
})

const refusals: [what: string, preset: string, env: Record<string, string>, says: RegExp][] = [
  [
    'production',
    'full',
    { NODE_ENV: 'production' },
    /SVC_DEV_ADMIN [^\n]*development only[\s\S]*svc user:create root --role/
  ],
  ['an application without accounts', 'minimal', {}, /SVC_USER_NO_ACCOUNTS/]
]

for (const [what, preset, env, says] of refusals) {
  t.test(`refused: ${what}`, async (t) => {
    const cwd = await createdApp(t, preset)
    const { code, stderr } = await runSvc(['dev', '--admin', 'root'], { cwd, env: { PORT: '0', ...env } })
    t.equal(code, 1)
    t.match(stderr, says)
  })
}
