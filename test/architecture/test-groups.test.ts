/**
 * Test files share processes, and each still comes to its own result: passed, failed, or lost with the process and run again.
 * In the long run: it is about these tests, not about svc.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { until } from '../support/until.ts'
import { inRoot, ROOT } from './repository.ts'

const run = promisify(execFile)

interface Groups {
  groupsOf(files: string[], isAlone: (file: string) => boolean): string[][]
  entriesFor(root: string, files: string[], options?: { covered?: string[] }): string[]
  isCovered(entry: string): boolean
}

const groups = (await import(inRoot('.config/test-groups.mjs'))) as Groups

t.test('groups hold the files of one folder, in parts of about the same length', async (t) => {
  const names = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/dist/test/${index}.test.js`)
  const files = [...names('plugins/a', 31), ...names('plugins/b', 2), 'test/dist/x.test.js', 'test/dist/y.test.js']
  const made = groups.groupsOf(files, (file) => file.endsWith('y.test.js'))
  t.strictSame(
    made.map((group) => group.length),
    [1, 1, 16, 15, 2],
    'those that are alone come first, then those that take longest'
  )
  t.strictSame(made.flat().sort(), [...files].sort(), 'every file once')
  t.ok(made.every((group) => new Set(group.map((file) => file.split('/dist/')[0])).size === 1))
})

t.test('a header asks for a process of its own', async (t) => {
  const root = t.testdir({
    dist: {
      'a.test.js': '/** What it is. */\n',
      'b.test.js': '/**\n * What it is. In a process of its own: it changes the environment.\n */\n',
      'c.test.js': '/** What it is. */\n// In a process of its own: not said in the header\n'
    }
  })
  const entries = groups.entriesFor(root, ['x/../dist/a.test.js', 'x/../dist/b.test.js', 'x/../dist/c.test.js'])
  t.match(entries, [/b\.test\.js$/, /^\.tap\/groups\/\w+\.mjs$/])
  t.equal(entries.length, 2)
})

t.test('the lines of a covered package are counted, also of a file that is alone', async (t) => {
  const alone = '/** In a process of its own: it says so. */\n'
  const dist = { 'a.test.js': '', 'b.test.js': '', 'c.test.js': alone }
  const root = t.testdir({ x: { dist }, y: { dist: { 'a.test.js': '', 'b.test.js': '' } } })
  const files = ['x/dist/a.test.js', 'x/dist/b.test.js', 'x/dist/c.test.js', 'y/dist/a.test.js', 'y/dist/b.test.js']
  const entries = groups.entriesFor(root, files, { covered: ['x'] })
  t.strictSame(entries.map(groups.isCovered), [true, true, false])
  const [first = ''] = entries
  t.match(readFileSync(join(root, first), 'utf8'), /'\.\.\/\.\.\/\.\.\/\.config\/test-group\.mjs'\n.*c\.test\.js/s)
})

const passing = "import t from 'tap'\nt.test('fine', async (t) => t.ok(true))\n"
const helped =
  "import t from 'tap'\nimport { mine } from './helper.js'\n" +
  "const own = t\nt.test('same', async (t) => t.equal(mine(), own, 'a helper has the test of the file that runs'))\n"

/** What the middle one of three files does, and what the failures are called; `lost` where the third has to run again. */
const rows: Record<string, { file: string; failures?: RegExp[]; lost?: boolean }> = {
  well: { file: passing },
  fails: {
    file: "import t from 'tap'\nt.test('x', async (t) => t.equal(1, 2, 'y'))\n",
    failures: [/b\.test\.js > x > y$/]
  },
  lacks: { file: "import './missing.js'\n", failures: [/b\.test\.js > Cannot find module/] },
  exits: {
    file: "import t from 'tap'\nt.test('x', async () => process.exit(0))\n",
    failures: [/b\.test\.js > .*unfinished/],
    lost: true
  },
  stays: {
    file: "import t from 'tap'\nt.test('x', () => new Promise(() => {}))\n",
    failures: [/b\.test\.js > x.*unfinished/],
    lost: true
  },
  dies: {
    file: "process.kill(process.pid, 'SIGKILL')\n",
    failures: [/^the process of .*a\.test\.js$/, /b\.test\.js$/],
    lost: true
  },
  leaves: {
    file: `import { spawn } from 'node:child_process'
      import { writeFileSync } from 'node:fs'
      import t from 'tap'
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      child.unref()
      writeFileSync(new URL('left', import.meta.url), String(child.pid))
      t.ok(child.pid)\n`
  },
  ends: {
    file: "import t from 'tap'\nt.pass()\nprocess.once('exit', () => { process.exitCode = 7 })\n",
    failures: [/^the process of .*a\.test\.js, .*b\.test\.js, .*c\.test\.js$/]
  }
}

t.test('what a file does in the middle of a group, its neighbours have their results', async (t) => {
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    ...Object.fromEntries(
      Object.entries(rows).map(([what, { file }]) => [
        what,
        {
          dist: {
            'helper.js': "import t from 'tap'\nexport const mine = () => t\n",
            'a.test.js': helped,
            'b.test.js': file,
            'c.test.js': helped
          }
        }
      ])
    )
  })
  const base = relative(ROOT, folder)
  const files = Object.keys(rows).flatMap((what) =>
    ['a', 'b', 'c'].map((name) => `${base}/${what}/dist/${name}.test.js`)
  )
  const program = `import { runTests } from ${JSON.stringify(inRoot('.config/tap.mjs'))}
    const counts = await runTests(process.execPath, { flags: [], files: ${JSON.stringify(files)} })
    process.stdout.write('\\n' + JSON.stringify(counts))`
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:_?TAP|NODE_OPTIONS|SVC_TEST)/.test(name))
  )
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env, cwd: ROOT })
  const counts = JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))) as { passed: number; failures: string[] }

  for (const [what, { failures = [] }] of Object.entries(rows)) {
    const named = counts.failures.filter((failure) => failure.includes(`/${what}/`))
    t.equal(named.length, failures.length, `${what}: ${named.join('; ')}`)
    for (const [index, failure] of failures.entries()) t.match(named[index], failure)
    for (const name of ['a', 'c']) t.ok(stdout.includes(`  ${base}/${what}/dist/${name}.test.js (`), `${what}: ${name}`)
  }
  t.equal(counts.failures.length, Object.values(rows).flatMap(({ failures = [] }) => failures).length)
  t.equal(counts.passed, 2 * Object.keys(rows).length + 3)
  const lost = Object.values(rows).filter((row) => row.lost === true).length
  const left = Number(readFileSync(join(folder, 'leaves/dist/left'), 'utf8'))
  // It was killed before its file was over. Its parent is gone: the first process of the machine reaps it when it may.
  t.ok(await until(() => isReaped(left), 'what a file started to end with it'))
  t.match(stdout, new RegExp(`${lost + 1} files not reached`), 'and the one that killed its process')
})

function isReaped(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
