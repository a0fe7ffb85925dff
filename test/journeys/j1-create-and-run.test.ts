/** J1: create an application, install, run, test, build, start. With its three mistakes. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { Running, run, svc, svcBin } from '../support/svc-command.ts'

const FILES = [
  'svc.config.ts',
  'env.ts',
  'app.ts',
  'controllers/home.ts',
  'controllers/hello.ts',
  'test/helper.ts',
  'test/hello.test.ts',
  'test/home.test.ts',
  '.env.example',
  '.gitignore',
  '.dockerignore',
  'Dockerfile',
  'tsconfig.json',
  'package.json',
  'README.md'
]

t.test('create, npm install, npm run dev, npm test, npm run build, npm start', async (t) => {
  const parent = await temporaryFolder(t)
  const created = await svc(['create', 'app', 'shop', '--preset', 'minimal'], { cwd: parent })
  t.equal(created.code, 0, created.stderr)
  for (const file of FILES) t.match(created.stdout, new RegExp(`CREATE shop/${file.replaceAll('.', '\\.')} `), file)
  for (const step of ['cd shop', 'npm install', 'npm run dev']) t.match(created.stdout, new RegExp(`^ +${step}$`, 'm'))
  t.notMatch(created.stdout, '\u001b', 'no colours in a pipe')

  const folder = join(parent, 'shop')
  const installed = await run('npm', ['install', '--prefer-offline'], { cwd: folder })
  t.equal(installed.code, 0, installed.stderr)

  const port = await freePort()
  const env = { PORT: String(port) }
  const dev = new Running('npm', ['run', 'dev'], { cwd: folder, env })
  t.teardown(() => dev.stop('SIGKILL'))
  await dev.shows(new RegExp(`shop is ready at http://127\\.0\\.0\\.1:${port} +\\(development\\)`))
  t.match(dev.output, 'svc-security, svc-decorators', 'the modules in load order')
  await answersHello(t, port)
  t.equal((await dev.stop('SIGINT')).stderr.includes('Error'), false)

  const tested = await run('npm', ['test'], { cwd: folder, env })
  t.equal(tested.code, 0, tested.stdout + tested.stderr)
  t.match(tested.stdout, /fail 0/)

  const built = await run('npm', ['run', 'build'], { cwd: folder, env })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const started = new Running('npm', ['start'], { cwd: folder, env })
  t.teardown(() => started.stop('SIGKILL'))
  await started.shows(/"msg":"Server listening at/)
  await answersHello(t, port)
  await started.stop()
})

async function answersHello(t: Test, port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/hello`)
  t.equal(answer.status, 200)
  const body = (await answer.json()) as { hello: unknown; pid: unknown; who: unknown }
  t.same(Object.keys(body).sort(), ['hello', 'pid', 'who'])
  t.type(body.hello, 'string')
  t.ok(Number.isInteger(body.pid))
  t.equal(body.who, 'anonymous')
}

t.test('mistake: the folder is not empty', async (t) => {
  const parent = await temporaryFolder(t)
  await svc(['create', 'app', 'shop'], { cwd: parent })
  await writeFile(join(parent, 'shop/mine.txt'), 'mine')
  const before = await readdir(join(parent, 'shop'))
  const again = await svc(['create', 'app', 'shop'], { cwd: parent })
  t.equal(again.code, 1)
  t.match(again.stderr, 'SVC_CREATE_EXISTS')
  t.match(again.stderr, /fix: npx svc create app shop2, or --force/)
  t.same(await readdir(join(parent, 'shop')), before, 'nothing was written')
})

t.test('mistake: a name npm would not take', async (t) => {
  const parent = await temporaryFolder(t)
  const refused = await svc(['create', 'app', 'Shop!'], { cwd: parent })
  t.equal(refused.code, 2, 'a usage error')
  t.match(refused.stderr, 'SVC_CREATE_NAME')
  t.match(refused.stderr, /svc create app shop\b/, 'with a cleaned name')
  t.same(await readdir(parent), [])
})

t.test('mistake: --dry-run and --help write nothing', async (t) => {
  const parent = await temporaryFolder(t)
  const dry = await svc(['create', 'app', 'shop', '--dry-run'], { cwd: parent })
  t.equal(dry.code, 0)
  t.match(dry.stdout, 'CREATE shop/app.ts')
  const help = await svc(['create', 'app', 'shop', '--help'], { cwd: parent })
  t.equal(help.code, 0)
  t.same(await readdir(parent), [])
})

t.test('mistake: an old Node is told before anything else is loaded', async (t) => {
  const parent = await temporaryFolder(t)
  // The bin sees the version that the process reports; a preload stands in for an old Node.
  const preload = join(parent, 'old-node.mjs')
  await writeFile(preload, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })\n")
  const refused = await run(process.execPath, ['--import', preload, svcBin, 'create', 'app', 'shop'], { cwd: parent })
  t.equal(refused.code, 1)
  t.match(refused.stderr, /SVC_NODE_VERSION +needs Node >= 24, running 20\.20\.2/)
  t.match(refused.stderr, /fix: install Node 24/)
  t.same(await readdir(parent), ['old-node.mjs'])
})
