/**
 * The commands of a newcomer work while `npm run dev` runs, on the embedded documents of the preset `full`.
 * In the long run: it starts three servers, and a process for each command.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { copyCreatedApp } from '../support/created-app.ts'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { type Finished, Running, svc, svcBin } from '../support/svc-command.ts'

async function fullApp(t: Test): Promise<string> {
  const folder = join(await temporaryFolder(t), 'shop')
  await copyCreatedApp(folder, 'full --database documents')
  return folder
}

async function dev(t: Test, cwd: string, port: number): Promise<Running> {
  const running = new Running(process.execPath, [svcBin, 'dev'], { cwd, env: { PORT: String(port) } })
  t.teardown(() => running.stop('SIGKILL'))
  await running.shows(/is ready at/)
  return running
}

/** `svc user:create`, with the password on standard input. */
function createUser(cwd: string, name: string): Promise<Finished> {
  return svc(['user:create', name, '--role', 'ROLE_USER', '--password-stdin'], { cwd, stdin: 'correct horse\n' })
}

async function login(port: number, username: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/svc/security/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'correct horse' })
  })
  await answer.arrayBuffer()
  return answer.status
}

t.test('N2: routes, user:create and explain beside a running server', async (t) => {
  const cwd = await fullApp(t)
  const port = await freePort()
  const server = await dev(t, cwd, port)

  const routes = await svc(['routes'], { cwd })
  t.equal(routes.code, 0, routes.stderr)
  t.match(routes.stdout, /GET +\/api\/notes/)

  const made = await createUser(cwd, 'zoe')
  t.equal(made.code, 0, made.stderr)
  t.equal(await login(port, 'zoe'), 200, 'the running server knows the user')

  const explained = await svc(['explain', 'GET', '/api/notes', '--as', 'zoe'], { cwd })
  t.equal(explained.code, 0, explained.stderr)
  t.match(explained.stdout, /GET \/api\/notes as zoe \(roles: ROLE_USER\)/, 'with the roles of the store')

  await server.stop('SIGINT')
  const alone = await createUser(cwd, 'ann')
  t.equal(alone.code, 0, `without a server, too: ${alone.stderr}`)
})

t.test('N2: an edit is served, and the documents stay, while the code before it ends', async (t) => {
  const cwd = await fullApp(t)
  const port = await freePort()
  const server = await dev(t, cwd, port)
  const hello = join(cwd, 'controllers/hello.ts')
  for (const word of ['one', 'two']) {
    server.forget()
    await writeFile(hello, (await readFile(hello, 'utf8')).replace(/hello: '\w+'/, `hello: '${word}'`))
    await server.shows(/reloaded/)
    const answer = await fetch(`http://127.0.0.1:${port}/api/hello`)
    t.match(await answer.json(), { hello: word })
    t.equal((await createUser(cwd, word)).code, 0)
    t.equal(await login(port, word), 200, 'the database is there')
  }
})

t.test('N2: a second server on the same file is told what to do', async (t) => {
  const cwd = await fullApp(t)
  await dev(t, cwd, await freePort())
  const second = new Running(process.execPath, [svcBin, 'dev'], { cwd, env: { PORT: String(await freePort()) } })
  t.teardown(() => second.stop('SIGKILL'))
  await second.shows(/SVC_ENGINE_FILE/)
  await second.shows(/fix: stop the other server/)
  t.match(second.output, 'svc-docdb.connectors.svc.file')
})
