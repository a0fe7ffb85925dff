/** The command line itself: help, version, slips of the pen, exit codes, plain text in pipes. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { sandbox } from './support/sandbox.ts'
import { runSvc, runSvcAlone } from './support/svc-process.ts'

const rows: Array<{ args: string[]; code: number; says: RegExp }> = [
  { args: ['strat'], code: 2, says: /SVC_CLI_USAGE {2}unknown command 'strat' \(did you mean start\?\)/ },
  { args: ['create', 'ap', 'x'], code: 2, says: /unknown command 'ap' \(did you mean app\?\)/ },
  { args: ['create', 'app', 'x', '--dryrun'], code: 2, says: /unknown option '--dryrun' \(did you mean --dry-run\?\)/ },
  { args: ['create', 'app'], code: 2, says: /SVC_CREATE_NAME {2}the application needs a name/ },
  { args: ['routes', 'extra'], code: 2, says: /too many arguments/ },
  { args: ['create'], code: 2, says: /Usage: svc create/ },
  { args: [], code: 2, says: /Usage: svc/ },
  { args: ['create', 'app', 'x', '--preset', 'minmal'], code: 2, says: /SVC_CREATE_PRESET .*did you mean minimal\?/ },
  {
    args: ['create', 'app', 'x', '--preset', 'api', '--database', 'documents'],
    code: 2,
    says: /SVC_CREATE_DATABASE .*api keeps its data in sql\n[\s\S]*fix: --preset full --database documents/
  },
  { args: ['create', 'app', 'x', '--database', 'mysql'], code: 2, says: /'mysql' is invalid.*sql, documents/ },
  { args: ['explain', 'FETCH', '/'], code: 2, says: /SVC_EXPLAIN_REQUEST/ },
  { args: ['explain', 'GET', 'api'], code: 2, says: /a path that starts with \// }
]

for (const { args, code, says } of rows) {
  t.test(`svc ${args.join(' ')}: ${code}`, async (t) => {
    const cwd = sandbox(t)
    const result = await runSvc(args, { cwd })
    t.equal(result.code, code)
    t.match(result.stderr, says)
    t.equal(result.stdout, '', 'nothing on standard output')
    t.notMatch(result.stderr, /\n\s+at .*:\d+:\d+/, 'no stack')
    t.strictSame(readdirSync(cwd), [], 'nothing written')
  })
}

t.test('N6: --help loads neither Fastify nor the kernel', async (t) => {
  const cwd = sandbox(t)
  const loaded = join(cwd, 'loaded.mjs')
  const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve (name, context, next) { process.stderr.write(name + '\\n'); return next(name, context) } })`
  writeFileSync(loaded, hook)
  for (const args of [['--help'], ['--version'], ['create', 'app', '--help']]) {
    const { code, stderr } = await runSvcAlone(args, { cwd, env: { NODE_OPTIONS: `--import=${loaded}` } })
    t.equal(code, 0)
    t.match(stderr, /commander/, 'what is loaded is seen')
    t.notMatch(stderr, /^(?:fastify|svc-kernel)$/m, args.join(' '))
  }
})

t.test('--help shows help and does nothing else', async (t) => {
  for (const args of [['--help'], ['create', 'app', 'x', '--help'], ['create', '--help', 'app', 'x'], ['dev', '-h']]) {
    const cwd = sandbox(t)
    const { code, stdout, stderr } = await runSvc(args, { cwd })
    t.equal(code, 0, args.join(' '))
    t.match(stdout, /Usage: svc/)
    t.equal(stderr, '')
    t.strictSame(readdirSync(cwd), [])
  }
})

t.test('--version is the version of the package', async (t) => {
  const { code, stdout } = await runSvc(['--version'], { cwd: sandbox(t) })
  t.equal(code, 0)
  t.match(stdout, /^\d+\.\d+\.\d+\n$/)
})

t.test('colours only where they are wanted', async (t) => {
  const cwd = sandbox(t)
  const ansi = String.fromCharCode(27)
  const cases: Array<[string, string[], Record<string, string>, boolean]> = [
    ['a pipe', ['dev'], {}, false],
    ['forced', ['dev'], { FORCE_COLOR: '1' }, true],
    ['forced, but refused', ['dev', '--no-color'], { FORCE_COLOR: '1' }, false],
    ['NO_COLOR', ['dev'], { NO_COLOR: '1' }, false]
  ]
  for (const [name, args, env, coloured] of cases) {
    const { stderr } = await runSvc(args, { cwd, env })
    t.match(stderr, /SVC_NO_CONFIG/, name)
    t.equal(stderr.includes(ansi), coloured, name)
  }
})

t.test('--verbose and DEBUG=svc:* add the stack', async (t) => {
  const cwd = sandbox(t)
  const stack = /\n\s+at .*find-application/
  t.notMatch((await runSvc(['dev'], { cwd })).stderr, stack)
  t.match((await runSvc(['dev', '--verbose'], { cwd })).stderr, stack)
  t.match((await runSvc(['dev'], { cwd, env: { DEBUG: 'svc:*' } })).stderr, stack)
})

t.test('an old Node is told so, by a file that needs nothing beside it', async (t) => {
  const folder = sandbox(t)
  const bin = join(folder, 'svc.mjs')
  copyFileSync(fileURLToPath(new URL('../../bin/svc.js', import.meta.url)), bin)
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})`
  const run = (args: string[]) =>
    spawnSync(process.execPath, [...args, bin, '--version'], { cwd: folder, encoding: 'utf8' })
  const old = run(['--import', pretend])
  t.equal(old.status, 1)
  t.equal(old.stdout, '')
  t.match(old.stderr, /✖ SVC_NODE_VERSION {2}needs Node >= 24, running 20\.11\.0\n.*\n {2}fix: install Node 24/)
  t.match(run([]).stderr, /Cannot find module .*dist\/src\/index\.js/, 'a Node that is new enough goes on')
})
