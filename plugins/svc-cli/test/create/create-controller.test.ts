/** `svc create controller` on the real process: one new file, or nothing. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emptyApp, sandbox } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

t.test('a controller in its place, after a dry run that wrote nothing', async (t) => {
  const cwd = emptyApp(t)
  const path = join(cwd, 'controllers', 'ping.ts')
  const dry = await runSvc(['create', 'controller', 'ping', '--route', '/api', '--dry-run'], { cwd })
  t.equal(dry.code, 0)
  t.match(dry.stdout, /^CREATE controllers\/ping\.ts \(\d+ bytes\)\n\nNothing was written/)
  t.notOk(existsSync(join(cwd, 'controllers')))

  const wet = await runSvc(['create', 'controller', 'ping', '--route', '/api'], { cwd })
  t.equal(wet.code, 0)
  t.equal(wet.stdout.split('\n')[0], dry.stdout.split('\n')[0])
  t.match(readFileSync(path, 'utf8'), "return { pong: true, app: 'bare' }")
})

t.test('a file that is there is never touched', async (t) => {
  const cwd = emptyApp(t)
  await runSvc(['create', 'controller', 'ping'], { cwd })
  const before = readFileSync(join(cwd, 'controllers', 'ping.ts'), 'utf8')
  const { code, stderr } = await runSvc(['create', 'controller', 'ping', '--route', '/other'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /SVC_CREATE_EXISTS {2}controllers\/ping\.ts exists already/)
  t.equal(readFileSync(join(cwd, 'controllers', 'ping.ts'), 'utf8'), before)
})

t.test('from a sub-folder with --root; without it, it says where the application is', async (t) => {
  const root = emptyApp(t)
  mkdirSync(join(root, 'src'))
  const cwd = join(root, 'src')
  const lost = await runSvc(['create', 'controller', 'ping'], { cwd })
  t.equal(lost.code, 1)
  t.match(lost.stderr, /SVC_NO_CONFIG .*found one 1 level up/)
  t.equal((await runSvc(['create', 'controller', 'ping', '--root', '..'], { cwd })).code, 0)
  t.ok(existsSync(join(root, 'controllers', 'ping.ts')))
})

t.test('what cannot be: names, routes, folders', async (t) => {
  const cwd = emptyApp(t)
  const rows: Array<[args: string[], code: number, says: RegExp]> = [
    [['PingController'], 2, /SVC_CREATE_NAME .*[\s\S]*fix: npx svc create controller ping\n/],
    [['../ping'], 2, /SVC_CREATE_NAME/],
    [['ping', '--route', "/a'b"], 2, /SVC_CREATE_ROUTE/]
  ]
  for (const [args, code, says] of rows) {
    const result = await runSvc(['create', 'controller', ...args], { cwd })
    t.equal(result.code, code, args.join(' '))
    t.match(result.stderr, says)
  }
  t.notOk(existsSync(join(cwd, 'controllers')))
  const outside = await runSvc(['create', 'controller', 'ping'], { cwd: sandbox(t) })
  t.equal(outside.code, 1)
  t.match(outside.stderr, /this is not an application folder/)
})
