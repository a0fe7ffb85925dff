/** The set-up scripts decide rightly: when to install, which tests to run, what a run of tap came to. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { inRoot, readJson } from './repository.ts'

/** The scripts are plain JavaScript that also runs on older Node versions; their types are told here. */
async function script<T>(name: string): Promise<T> {
  return (await import(inRoot(`.config/${name}.mjs`))) as T
}

interface Lock {
  [path: string]: { version?: string; integrity?: string; optional?: boolean; devOptional?: boolean; link?: boolean }
}

t.test('when to install', async (t) => {
  const { firstDifference } = await script<{ firstDifference(wanted: Lock, installed: Lock): string | null }>(
    'installed-packages'
  )
  const a = { version: '1.0.0', integrity: 'x' }
  const rows: [what: string, wanted: Lock, installed: Lock, reason: RegExp | null][] = [
    ['all there', { 'node_modules/a': a }, { 'node_modules/a': a }, null],
    ['one missing', { 'node_modules/a': a }, {}, /a is missing/],
    ['one missing below a workspace', { 'plugins/x/node_modules/a': a }, {}, /a is missing/],
    ['an optional one missing', { 'node_modules/a': { ...a, optional: true } }, {}, null],
    ['another version', { 'node_modules/a': a }, { 'node_modules/a': { ...a, version: '0.9.0' } }, /0\.9\.0.*1\.0\.0/],
    ['another content', { 'node_modules/a': a }, { 'node_modules/a': { ...a, integrity: 'y' } }, /a is/],
    ['the workspaces themselves', { '': {}, 'plugins/x': { version: '1.0.0' } }, {}, null],
    ['a left-over', {}, { 'node_modules/a': a }, null]
  ]
  for (const [what, wanted, installed, reason] of rows) {
    const found = firstDifference(wanted, installed)
    if (reason === null) t.equal(found, null, what)
    else t.match(found, reason, what)
  }
})

t.test('how far an install is: packages for this machine that are unpacked', async (t) => {
  const { installedCount } = await script<{ installedCount(root: string): string }>('installed-packages')
  const foreign = process.platform === 'win32' ? 'linux' : 'win32'
  const packages = {
    '': {},
    'node_modules/a': {},
    'node_modules/b': { os: [foreign] },
    'node_modules/c': { os: [`!${foreign}`], cpu: [process.arch] },
    'node_modules/d': { cpu: [`!${process.arch}`] },
    'node_modules/own': { link: true },
    'plugins/own/node_modules/a': {}
  }
  const root = t.testdir({
    'package-lock.json': JSON.stringify({ packages }),
    node_modules: { a: { 'package.json': '' }, c: {} }
  })
  t.equal(installedCount(root), '1 of 3 packages')
})

t.test('which tests a word names', async (t) => {
  const { matchingTests } = await script<{ matchingTests(files: string[], words: string[]): string[] }>('test-files')
  const files = [
    'plugins/x/dist/test/access/gate.test.js',
    'plugins/y/dist/test/index.test.js',
    'test/dist/journeys/first.test.js'
  ]
  t.strictSame(matchingTests(files, []), files)
  t.strictSame(matchingTests(files, ['plugins/x/test/access/gate.test.ts']), [files[0]])
  t.strictSame(matchingTests(files, ['./test/journeys']), [files[2]])
  t.strictSame(matchingTests(files, ['gate', 'plugins/y']), [files[0], files[1]])
  t.strictSame(matchingTests(files, ['nothing']), [])
})

interface Counts {
  failures: string[]
  passed: number
  failed: number
  skipped: number
}

interface TapScript {
  TapSummary: new (print: (line: string) => void) => { line(line: string): void; counts(exitCode: number): Counts }
  describeCounts(counts: Counts): string
}

t.test('what a run of tap came to', async (t) => {
  const { TapSummary, describeCounts } = await script<TapScript>('tap-summary')
  const run = (output: string, exitCode: number) => {
    const printed: string[] = []
    const summary = new TapSummary((line) => printed.push(line))
    for (const line of output.split('\n')) summary.line(line)
    const counts = summary.counts(exitCode)
    return { printed, told: describeCounts(counts), failures: counts.failures }
  }
  const passing = '# Subtest: a.test.js\n    ok 1 - fine\n    1..1\nok 1 - a.test.js # time=5ms\n'
  const failing =
    '# Subtest: b.test.js\n    ok 1 - fine\n    not ok 2 - wrong\n      ---\n      found: 1\n      ...\n' +
    'not ok 2 - b.test.js # time=7ms\n  ---\n  exitCode: 1\n  ...\n'

  t.strictSame(run(`${passing}# { total: 1, pass: 1 }`, 0), {
    failures: [],
    printed: ['  a.test.js (5ms)'],
    told: '1 passed, 0 failed'
  })
  const mixed = run(`${failing}${passing}# { total: 4, pass: 2, fail: 1, skip: 1 }`, 1)
  t.equal(mixed.told, '2 passed, 1 failed, 1 skipped')
  t.ok(mixed.printed.includes('    not ok 2 - wrong') && mixed.printed.includes('      found: 1'), 'failures are shown')
  t.notOk(
    mixed.printed.some((line) => line.includes('fine')),
    'what passed in a failing file is not'
  )
  t.ok(mixed.printed.includes('  exitCode: 1') && mixed.printed.at(-1) === '  a.test.js (5ms)')
  t.equal(run(`${passing}# { total: 1, pass: 1 }`, 1).told, '1 passed, 1 failed', 'a bad exit is a failure')
  t.equal(run('', 0).told, '0 passed, 1 failed', 'a run of nothing is a failure')
})

t.test('R15: each failure is named, with its file and the tests around it', async (t) => {
  const { TapSummary } = await script<TapScript>('tap-summary')
  const summary = new TapSummary(() => undefined)
  const output = [
    '# Subtest: a.test.js',
    '    # Subtest: outer',
    '        not ok 1 - one # time=3ms',
    '        ok 2 - fine',
    '        not ok 3 - two',
    '          ---',
    '          diff: ...',
    '          ...',
    '    not ok 1 - outer # time=5ms',
    '    not ok 2 - alone',
    '    not ok 3 - later # SKIP',
    'not ok 1 - a.test.js # time=9ms',
    '# Subtest: b.test.js',
    'not ok 2 - b.test.js # time=9ms',
    '# { total: 3, fail: 3 }'
  ]
  for (const line of output) summary.line(line)
  t.strictSame(summary.counts(1).failures, [
    'a.test.js > outer > one',
    'a.test.js > outer > two',
    'a.test.js > alone',
    'b.test.js'
  ])
})

t.test('compiled files without a source go away', async (t) => {
  const { removeStaleOutput } = await script<{ removeStaleOutput(project: string): string[] }>('stale-output')
  const project = t.testdir({
    src: { 'a.ts': '' },
    dist: {
      src: { 'a.js': '', 'a.js.map': '', 'a.d.ts': '', 'b.js': '', 'b.d.ts.map': '' },
      web: { 'bundle-1.js': '' },
      'tsconfig.tsbuildinfo': ''
    }
  })
  t.match(removeStaleOutput(project).sort(), [/b\.d\.ts\.map$/, /b\.js$/])
  t.strictSame(removeStaleOutput(project), [])
})

t.test('which files fall short of every line', async (t) => {
  interface Script {
    uncoveredFiles(
      root: string,
      files: string[],
      summary: Record<string, { lines: { covered: number; total: number } }>
    ): string[]
  }
  const { uncoveredFiles } = await script<Script>('line-coverage')
  const summary = { '/r/a.ts': { lines: { covered: 3, total: 3 } }, '/r/b.ts': { lines: { covered: 2, total: 3 } } }
  t.strictSame(uncoveredFiles('/r', ['a.ts'], summary), [])
  t.strictSame(uncoveredFiles('/r', ['a.ts', 'b.ts', 'c.ts'], summary), [
    'b.ts: 2 of 3 lines',
    'c.ts: no test loads it'
  ])
})

t.test('a place in a compiled file is told as that in its source', async (t) => {
  const { inSources } = await script<{ inSources(root: string, line: string): string }>('source-places')
  const [compiled, source] = ['test/dist/architecture/setup-scripts.test.js', 'test/architecture/setup-scripts.test.ts']
  const placeIn = (file: string) => {
    const lines = readFileSync(inRoot(file), 'utf8').split('\n')
    const row = lines.findIndex((line) => line.includes("const [compiled, source] = ['"))
    return `${file}:${row + 1}:${(lines[row]?.indexOf('[') ?? 0) + 1}`
  }
  const root = inRoot('.')
  t.equal(inSources(root, `  at f (${placeIn(compiled)})`), `  at f (${placeIn(source)})`)
  for (const line of ['test/dist/gone.test.js:1:2', 'node_modules/tap/dist/esm/run.mjs:1:2', 'not ok 1 - x']) {
    t.equal(inSources(root, line), line)
  }
})

t.test('a header leaves its file to the long run', async (t) => {
  const { splitByLength } = await script<{ splitByLength(root: string, files: string[]): object }>('test-files')
  const root = t.testdir({
    'a.ts': '/** What it is. */\n',
    'b.ts': '/**\n * What it is.\n * In the long run: it takes a minute.\n */\n',
    'c.ts': '/** What it is. */\n// In the long run: not said in the header\n'
  })
  t.strictSame(splitByLength(root, ['dist/a.js', 'dist/b.js', 'dist/c.js']), {
    short: ['dist/a.js', 'dist/c.js'],
    long: ['dist/b.js']
  })
})

t.test('each benchmark that is listed is there', async (t) => {
  const { BENCHMARKS, entryOf } = await script<{ BENCHMARKS: object; entryOf(name: string): string }>('bench')
  const missing = Object.keys(BENCHMARKS).filter((name) => !existsSync(inRoot(entryOf(name))))
  t.strictSame(missing, [])
})

t.test('the scripts of the repository can be read at a glance', async (t) => {
  const { scripts } = readJson<{ scripts: object }>('package.json')
  t.ok(Object.keys(scripts).length < 15, 'what belongs together is one script with arguments')
})
