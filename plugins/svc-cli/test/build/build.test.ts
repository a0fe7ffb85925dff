/** `svc build` and `svc start`: what production gets. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp, edit, emptyApp, write } from '../support/sandbox.ts'
import { ended, launchNode, runSvc, SvcProcess } from '../support/svc-process.ts'

t.test('it builds all of it, or leaves the last build alone', async (t) => {
  const cwd = await createdApp(t)
  await write(cwd, 'controllers/old.ts', 'export {}\n')
  const first = await runSvc(['build'], { cwd })
  t.equal(first.code, 0, first.stdout + first.stderr)
  t.match(first.stdout, /^built dist\/ \(9 modules\)\n$/)
  t.ok(existsSync(join(cwd, 'dist/controllers/old.js')))

  rmSync(join(cwd, 'controllers/old.ts'))
  t.equal((await runSvc(['build'], { cwd })).code, 0)
  t.notOk(existsSync(join(cwd, 'dist/controllers/old.js')), 'what was deleted is not served any more')

  const before = readFileSync(join(cwd, 'dist/controllers/hello.js'), 'utf8')
  await edit(cwd, 'controllers/hello.ts', ["hello: 'world'", 'hello: missing'])
  const failed = await runSvc(['build'], { cwd })
  t.equal(failed.code, 1)
  t.match(failed.stdout, /controllers\/hello\.ts.*error TS2304/)
  t.match(failed.stderr, /✖ SVC_BUILD_FAILED {2}the sources do not compile, see above; dist\/ is unchanged/)
  t.equal(readFileSync(join(cwd, 'dist/controllers/hello.js'), 'utf8'), before)
  t.notOk(readdirSync(cwd).includes('.svc-build'))
})

t.test('without TypeScript it says what to install', async (t) => {
  const { code, stderr } = await runSvc(['build'], { cwd: emptyApp(t) })
  t.equal(code, 1)
  t.match(stderr, /SVC_NOT_INSTALLED {2}typescript is not installed\n.*\n {2}fix: npm install --save-dev typescript/)
})

t.test('start: nothing to start, then the build, then a build that is older than its sources', async (t) => {
  const cwd = await createdApp(t)
  const none = await runSvc(['start'], { cwd })
  t.equal(none.code, 1)
  t.match(none.stderr, /✖ SVC_NO_BUILD .*\n.*\n {2}fix: npm run build/)

  await write(cwd, 'scripts/seed.ts', 'export {}\n')
  await edit(cwd, 'tsconfig.json', ['"exclude": [', '"exclude": ["scripts", '])
  await runSvc(['build'], { cwd })
  t.notOk(existsSync(join(cwd, 'dist/scripts')), 'the compiler leaves it out')
  const server = new SvcProcess(t, ['start'], { cwd, env: { PORT: '0' } })
  const url = await server.address()
  t.match(await (await fetch(`${url}/api/hello`)).json(), { hello: 'world', pid: server.pid, who: 'anonymous' })
  t.notMatch(server.output, /SVC_STALE_BUILD/)
  for (const line of server.output.trimEnd().split('\n')) t.type(JSON.parse(line).msg, 'string', 'production logs JSON')
  t.equal(await server.stop(), 0)

  const later = new Date(Date.now() + 60_000)
  utimesSync(join(cwd, 'controllers/home.ts'), later, later)
  const stale = new SvcProcess(t, ['start'], { cwd, env: { PORT: '0' } })
  await stale.says(/▲ SVC_STALE_BUILD {2}1 source file is newer than the build \(controllers\/home\.ts\)/)
  await stale.says(/fix: npm run build/)
  await stale.address()
  t.equal(await stale.stop('SIGINT'), 0)
})

t.test('the tests of a created application pass, and its entry serves when run directly', async (t) => {
  const cwd = await createdApp(t)
  await runSvc(['build'], { cwd })
  const tested = await ended(launchNode(['--test', 'dist/test/**/*.test.js'], cwd))
  t.equal(tested.code, 0, tested.stdout)
  t.match(tested.stdout, /pass 4\n.*fail 0\n/)

  const busy = new SvcProcess(t, ['start'], { cwd, env: { PORT: '0' } })
  const port = new URL(await busy.address()).port
  const direct = await ended(launchNode(['dist/app.js'], cwd, { PORT: port }))
  t.equal(direct.code, 1)
  t.match(direct.stderr, /✖ SVC_PORT_BUSY .*\n.*\n {2}fix: .*PORT=\d+ node dist\/app\.js/)
})
