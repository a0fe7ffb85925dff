/**
 * One database for every way of starting, and no build that touches it.
 * In the long run: it builds and starts an application in each way.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildApp, fullApp } from '../support/full-app.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const PASSWORD = 'correct horse battery'

/** Logs in at a server that runs, then stops it. */
async function loginAt(server: SvcProcess): Promise<number> {
  const { status } = await fetch(`${await server.address()}/svc/security/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', password: PASSWORD })
  })
  await server.stop()
  return status
}

t.test('R4: user:create, the build and svc dev keep one database, and a build leaves it alone', async (t) => {
  const cwd = await fullApp(t)
  const env = { PORT: '0', NODE_ENV: 'development' }
  t.equal((await runSvc(['user:create', 'ada', '--password-stdin'], { cwd, stdin: PASSWORD })).code, 0)
  t.equal(await buildApp(cwd), '')
  const direct = new SvcProcess(t, [], { cwd: '/', env, script: join(cwd, 'dist/app.js') })
  t.equal(await loginAt(direct), 200, 'node dist/app.js, from elsewhere')
  t.equal(await buildApp(cwd), '', 'nothing of it lies in the build')
  t.equal(await loginAt(new SvcProcess(t, ['start'], { cwd, env })), 200, 'svc start, after another build')
  t.equal(await loginAt(new SvcProcess(t, ['dev'], { cwd, env })), 200, 'svc dev')
  for (const path of ['data/documents.db', 'keys/keyset.json']) t.ok(existsSync(join(cwd, path)), path)
  for (const path of ['dist/data', 'dist/keys']) t.notOk(existsSync(join(cwd, path)), path)
})
