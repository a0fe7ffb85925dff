/** `svc create app`: all of it or nothing. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sandbox } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const FILES = [
  '.dockerignore',
  '.env.example',
  '.gitignore',
  'Dockerfile',
  'README.md',
  'app.ts',
  'controllers/README.md',
  'controllers/hello.ts',
  'controllers/home.ts',
  'env.ts',
  'package.json',
  'svc.config.ts',
  'test/hello.test.ts',
  'test/helper.ts',
  'test/home.test.ts',
  'tsconfig.json'
]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

t.test('a new application', async (t) => {
  const cwd = sandbox(t)
  const { code, stdout, stderr } = await runSvc(['create', 'app', 'shop', '--preset', 'minimal'], { cwd })
  t.equal(code, 0, stderr)
  t.strictSame(readdirSync(cwd), ['shop'], 'and nothing beside it')
  t.strictSame(filesBelow(join(cwd, 'shop')), FILES)

  const lines = stdout.trimEnd().split('\n')
  const created = lines.filter((line) => line.startsWith('CREATE '))
  t.strictSame(
    created,
    FILES.map((path) => `CREATE shop/${path} (${statSync(join(cwd, 'shop', path)).size} bytes)`)
  )
  t.strictSame(lines.slice(-3), ['  cd shop', '  npm install', '  npm run dev'])
  t.equal(stderr, '')
})

t.test('only its catalogue reads the environment, and the port is 5151 there', async (t) => {
  const cwd = sandbox(t)
  t.equal((await runSvc(['create', 'app', 'shop', '--preset', 'minimal'], { cwd })).code, 0)
  const readers = FILES.filter((path) => /process\.env/.test(readFileSync(join(cwd, 'shop', path), 'utf8')))
  t.strictSame(
    readers.filter((path) => path.endsWith('.ts')),
    ['env.ts']
  )
  t.match(readFileSync(join(cwd, 'shop/env.ts'), 'utf8'), "PORT: { type: 'integer', default: 5151")
  t.match(readFileSync(join(cwd, 'shop/svc.config.ts'), 'utf8'), 'port: env.PORT')
})

t.test('its name is in package.json and README; svc packages are links, as this is a checkout', async (t) => {
  const cwd = sandbox(t)
  await runSvc(['create', 'app', 'shop'], { cwd })
  const app = join(cwd, 'shop')
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  t.equal(manifest.name, 'shop')
  t.equal(manifest.private, true)
  t.strictSame(Object.keys(manifest.scripts), ['dev', 'build', 'start', 'test'])
  t.strictSame(Object.keys(manifest.dependencies), [
    '@fastify/error',
    'fastify',
    'svc-cli',
    'svc-decorators',
    'svc-host',
    'svc-kernel',
    'svc-security'
  ])
  const ours = Object.entries(manifest.dependencies as Record<string, string>).filter(([name]) =>
    name.startsWith('svc-')
  )
  t.equal(ours.length, 5)
  for (const [name, path] of ours) {
    t.match(path, /^file:\.\.\//, name)
    const linked = JSON.parse(readFileSync(join(app, path.slice('file:'.length), 'package.json'), 'utf8'))
    t.equal(linked.name, name)
  }
  t.match(readFileSync(join(app, 'README.md'), 'utf8'), /^# shop\n/)
})

t.test('--dry-run prints the same lines and writes nothing', async (t) => {
  const cwd = sandbox(t)
  const dry = await runSvc(['create', 'app', 'shop', '--dry-run'], { cwd })
  t.equal(dry.code, 0)
  t.match(dry.stdout, /Nothing was written/)
  t.strictSame(readdirSync(cwd), [])
  const wet = await runSvc(['create', 'app', 'shop'], { cwd })
  const created = (text: string) => text.split('\n').filter((line) => line.startsWith('CREATE'))
  t.strictSame(created(dry.stdout), created(wet.stdout))
})

t.test('--dir names the folder; an empty one is taken, parents are made', async (t) => {
  const cwd = sandbox(t)
  mkdirSync(join(cwd, '.demo'))
  t.equal((await runSvc(['create', 'app', 'demo', '--dir', '.demo'], { cwd })).code, 0)
  t.equal((await runSvc(['create', 'app', 'demo', '--dir', 'a/b/c'], { cwd })).code, 0)
  for (const folder of ['.demo', 'a/b/c']) {
    t.equal(JSON.parse(readFileSync(join(cwd, folder, 'package.json'), 'utf8')).name, 'demo')
  }
  t.strictSame(readdirSync(join(cwd, 'a')), ['b'])
})

t.test('a folder that is not empty is left alone, and a free name is proposed', async (t) => {
  const cwd = sandbox(t)
  mkdirSync(join(cwd, 'shop'))
  mkdirSync(join(cwd, 'shop2'))
  writeFileSync(join(cwd, 'shop', 'mine.txt'), 'mine')
  const { code, stderr } = await runSvc(['create', 'app', 'shop'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /✖ SVC_CREATE_EXISTS {2}folder "shop" is not empty/)
  t.match(stderr, /fix: npx svc create app shop3, or --force to write only missing files/)
  t.strictSame(filesBelow(cwd), ['shop/mine.txt'])
})

t.test('--force writes what is missing and changes nothing that is there', async (t) => {
  const cwd = sandbox(t)
  mkdirSync(join(cwd, 'shop'))
  writeFileSync(join(cwd, 'shop', 'app.ts'), '// mine')
  const { code, stdout } = await runSvc(['create', 'app', 'shop', '--force'], { cwd })
  t.equal(code, 0)
  t.equal(readFileSync(join(cwd, 'shop', 'app.ts'), 'utf8'), '// mine')
  t.notMatch(stdout, /CREATE shop\/app\.ts/)
  t.strictSame(filesBelow(join(cwd, 'shop')), FILES)
  t.strictSame(readdirSync(cwd), ['shop'])
})

t.test('a name that cannot be one', async (t) => {
  const cwd = sandbox(t)
  for (const [name, fix] of [
    ['Shop!', 'npx svc create app shop'],
    ['.demo', 'npx svc create app demo --dir .demo'],
    ['../out', 'npx svc create app out --dir ../out'],
    ['svc-kernel', 'npx svc create app svc-kernel-app']
  ] as const) {
    const { code, stderr } = await runSvc(['create', 'app', name], { cwd })
    t.equal(code, 2, name)
    t.match(stderr, /SVC_CREATE_NAME/)
    t.match(stderr, `fix: ${fix}\n`)
  }
  t.strictSame(readdirSync(cwd), [])
})

t.test('what fails half-way leaves nothing behind', async (t) => {
  const cwd = sandbox(t)
  const fake = join(cwd, 'bin')
  mkdirSync(fake)
  writeFileSync(join(fake, 'npm'), '#!/bin/sh\nexit 9\n')
  chmodSync(join(fake, 'npm'), 0o755)
  const { code, stderr } = await runSvc(['create', 'app', 'shop'], {
    cwd,
    env: { PATH: `${fake}:${process.env.PATH}` }
  })
  t.equal(code, 1)
  t.match(stderr, /✖ SVC_CREATE_FAILED {2}the application was not created: .*npm init/)
  t.notMatch(stderr, /\n\s+at /, 'no stack')
  t.strictSame(readdirSync(cwd), ['bin'])
})

t.test('a file in the way of the folder', async (t) => {
  const cwd = sandbox(t)
  writeFileSync(join(cwd, 'shop'), 'a file')
  const { code, stderr } = await runSvc(['create', 'app', 'shop'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /SVC_CREATE_EXISTS/)
  t.ok(existsSync(join(cwd, 'shop')))
  t.strictSame(readdirSync(cwd), ['shop'])
})
