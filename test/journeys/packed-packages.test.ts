/**
 * From tarballs alone: every package is packed, judged, and installed into an empty folder with no workspace near; an
 * application is created, tested, built and started there, on the lowest Fastify of the range, of which it has one copy;
 * beside it, typed clients and an agent call a small one.
 * In the long run: it installs five hundred packages.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { packAll } from '../support/packed-packages.ts'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { Running, repository, run } from '../support/svc-command.ts'
import { callFromPackages } from './clients-of-packages.ts'

/** The line that the README of svc-cli has for the list of plugins. */
function listing(): string {
  const text = readFileSync(join(repository, 'plugins/svc-cli/README.md'), 'utf8')
  return /^node -e "(.+)"$/m.exec(text)?.[1] ?? ''
}

interface Manifest {
  name: string
  dependencies: Record<string, string>
  overrides?: Record<string, string>
}

// A newcomer has none, and the command then keeps one of its own.
delete process.env.NODE_COMPILE_CACHE

const tarballs = await packAll()
const { LOWEST_FASTIFY } = (await import(join(repository, '.config/packages.mjs'))) as { LOWEST_FASTIFY: string }

function edit(folder: string, change: (manifest: Manifest) => void): void {
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  change(manifest)
  writeFileSync(file, JSON.stringify(manifest, null, 2))
}

/** Our own names come from the tarballs, wherever they are asked for; everything else from the registry. */
async function install(folder: string, change: (manifest: Manifest) => void = () => undefined) {
  edit(folder, (manifest) => {
    change(manifest)
    const ours = [...tarballs].map(([name, file]) => [name, `file:${file}`] as const)
    for (const [name, file] of ours) {
      if (manifest.dependencies[name] !== undefined) manifest.dependencies[name] = file
    }
    manifest.overrides = Object.fromEntries(
      ours.map(([name, file]) => [name, manifest.dependencies[name] === undefined ? file : `$${name}`])
    )
  })
  return run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder })
}

/** What svc-mcp serves with, which it leaves to the application, and the client of its tests. */
function protocolPackages(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(join(repository, 'plugins/svc-mcp/package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return Object.fromEntries(
    Object.entries(manifest.devDependencies).filter(([name]) => name.startsWith('@modelcontextprotocol/'))
  )
}

/** Where npm put each copy of a package, and where it came from. */
function installed(folder: string): [path: string, resolved: string][] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string }>
  }
  return Object.entries(packages).map(([path, { resolved = '' }]) => [path, resolved])
}

/**
 * The packages are ES modules for Node 24 and later, which requires them all the same; the oldest resolution reads no
 * `exports`, and no such Node does without.
 */
function concernsUsers(problem: Problem): boolean {
  return problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10')
}

t.test('publint has nothing to say, and types resolve as the code does', async (t) => {
  t.equal(tarballs.size, 30)
  for (const [name, file] of tarballs) {
    const bytes = new Uint8Array(readFileSync(file))
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
    t.strictSame(
      messages.map((message) => formatMessage(message, pkg)),
      [],
      name
    )
    const result = await checkPackage(createPackageFromTarballData(bytes))
    const problems = 'problems' in result ? result.problems.filter(concernsUsers) : []
    t.strictSame(problems, [], name)
    t.equal(result.types !== false, name !== 'create-svc', `${name} has types`)
  }
})

t.test('a tarball carries its licence, a few bundles, and the sources that their maps name', async (t) => {
  for (const [name, file] of tarballs) {
    const folder = await temporaryFolder(t)
    await run('tar', ['-xzf', file], { cwd: folder })
    const packed = join(folder, 'package')
    const paths = readdirSync(packed, { recursive: true }).map(String)
    t.ok(paths.includes('LICENSE'), `${name}: licence`)
    t.notOk(
      paths.some((path) => /^(?:dist\/|src\/).*\.test\.js|tsbuildinfo|\.part$/.test(path)),
      `${name}: nothing else`
    )
    const compiled = paths.filter((path) => path.startsWith('dist/src/') && path.endsWith('.js'))
    const { exports = {} } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { exports?: object }
    // One file for each entry, what they share, and what loads on use; the command line loads each command on use.
    const few = name === 'svc-cli' ? importsOnUse(join(packed, 'src')) + 22 : 2 * Object.keys(exports).length + 10
    t.ok(compiled.length <= few, `${name}: ${compiled.length} files`)
    const maps = paths.filter((path) => path.endsWith('.js.map'))
    t.equal(maps.length > 0, compiled.length > 0, `${name}: maps`)
    const sources = maps.flatMap((path) => {
      const map = JSON.parse(readFileSync(join(packed, path), 'utf8')) as { sources: string[] }
      return map.sources.map((source) => resolve(dirname(join(packed, path)), source))
    })
    t.strictSame(
      sources.filter((path) => !path.startsWith(join(packed, 'src')) || !existsSync(path)),
      [],
      `${name}: sources`
    )
  }
})

/** How many modules a package imports on use. */
function importsOnUse(sources: string): number {
  const files = readdirSync(sources, { recursive: true }).map(String)
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(sources, file), 'utf8'))
  return new Set(texts.join('\n').match(/(?<=\bimport\(')\.[^']+/g)).size
}

t.test('packing where a package is developed is refused', async (t) => {
  const refused = await run('npm', ['pack', '--dry-run', '-w', 'svc-kernel'], { cwd: repository })
  t.not(refused.code, 0)
  t.match(refused.stderr, /npm run release -- stage/)
})

t.test('npm create svc, npm install, npm test, npm run build, npm start', async (t) => {
  const outside = await temporaryFolder(t)
  writeFileSync(
    join(outside, 'package.json'),
    '{ "name": "outside", "private": true, "dependencies": { "create-svc": "" } }'
  )
  const creator = await install(outside)
  t.equal(creator.code, 0, creator.stderr)
  const bin = join(outside, 'node_modules/.bin')
  const created = await run(join(bin, 'create-svc'), ['shop', '--preset', 'full'], { cwd: outside })
  t.equal(created.code, 0, created.stderr)
  t.ok(existsSync(join(bin, 'svc-cli')), 'npx svc-cli finds a command of its name')

  const folder = join(outside, 'shop')
  const ready = await install(folder, (manifest) => {
    t.match(manifest.dependencies['svc-host'], /^\^\d/, 'named by version')
    manifest.dependencies.fastify = LOWEST_FASTIFY
    // The driver of documents, which this preset does not bring, resolves from its tarball too.
    manifest.dependencies['svc-docdb'] = ''
    Object.assign(manifest.dependencies, { 'svc-client': '', 'svc-mcp': '', ...protocolPackages() })
  })
  t.equal(ready.code, 0, ready.stderr)
  const everything = installed(folder)
  const ours = everything.filter(([path]) => tarballs.has(path.split('node_modules/').at(-1) ?? ''))
  t.ok(ours.length >= 14 && ours.every(([, resolved]) => resolved.startsWith('file:')), 'ours came from the tarballs')
  t.strictSame(
    everything.map(([path]) => path).filter((path) => path.endsWith('node_modules/fastify')),
    ['node_modules/fastify'],
    'one copy of Fastify'
  )
  const env = { PORT: String(await freePort()) }
  const tested = await run('npm', ['test'], { cwd: folder })
  t.equal(tested.code, 0, tested.stdout + tested.stderr)
  t.equal((await run('npm', ['run', 'build'], { cwd: folder })).code, 0)
  const started = new Running('npm', ['start'], { cwd: folder, env })
  t.teardown(() => started.stop('SIGKILL'))
  await started.shows(/Server listening at/)
  const answer = await fetch(`http://127.0.0.1:${env.PORT}/api/hello`)
  t.match(await answer.json(), { who: 'anonymous' })
  await started.stop()
  t.ok(existsSync(join(folder, 'node_modules/.cache/svc')), 'what Node compiled is kept for the next start')

  const listed = await run(process.execPath, ['-e', listing()], { cwd: folder })
  for (const name of ours.map(([path]) => path.slice('node_modules/'.length))) {
    if (!/^svc-(?:cli|host|client|kernel|queue|docdb-embedded)$/.test(name))
      t.match(listed.stdout, `'${name}'`, 'the list of plugins')
  }
  const failing = "import('svc-kernel/plugin').then(({ describeRequirement }) => describeRequirement(null))"
  const failed = await run(process.execPath, ['--enable-source-maps', '-e', failing], { cwd: folder })
  t.match(failed.stderr, /svc-kernel\/src\/access\/requirement\.ts:\d+/, 'a stack tells the line of the source')

  const docs = await run('npx', ['svc-cli', 'docs', 'SVC_PORT_BUSY'], { cwd: folder })
  t.match(docs.stdout, /SVC_PORT_BUSY[\s\S]*port is in use/, 'the documentation is at hand')

  await t.test('typed clients and tools', (t) => callFromPackages(t, folder))
})
