/**
 * Packages are imported in any order and at the same time. Node refuses to `require` a module that an import is still
 * loading, so an ES module that is reached both ways depends on who comes first: there is none, whichever packages an
 * application has. And all of them at once, in both orders, each in a process of its own.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { plainCommand } from '../support/plain-command.ts'

const run = promisify(execFile)
const packages = packageNames()

/** @returns what failed, or `null` */
async function importTogether(names: readonly string[]): Promise<string | null> {
  const script = `await Promise.all(${JSON.stringify(names)}.map((name) => import(name)))`
  const [command, args] = plainCommand(process.execPath, ['--input-type=module', '--eval', script])
  try {
    await run(command, args)
    return null
  } catch (error) {
    return `${names.join(' + ')}: ${(error as { stderr: string }).stderr}`
  }
}

/** @returns the ES modules that are reached by an import and by a `require`, as URLs */
async function reachedBothWays(names: readonly string[]): Promise<string[]> {
  const program = join(import.meta.dirname, 'module-ways.js')
  const { stdout } = await run(...plainCommand(process.execPath, [program, ...names]))
  return JSON.parse(stdout) as string[]
}

t.setTimeout(600_000)

t.test('R16: no ES module is both imported and required, by whichever packages', async (t) => {
  t.ok(packages.length > 10, 'the packages were found')
  t.strictSame(await reachedBothWays(packages), [])
})

const FILES = {
  'package.json': '{}',
  'both.mjs': 'import "./below.mjs"',
  'below.mjs': '',
  'typeless.js': 'export default 1',
  'requires.cjs': 'require("./both.mjs"); require("./typeless.js"); require("./alone.mjs")',
  'alone.mjs': '',
  'imports.mjs': 'import "./both.mjs"',
  'imports-below.mjs': 'import "./below.mjs"',
  'imports-typeless.mjs': 'import "./typeless.js"',
  'imports-late.cjs': 'import("./both.mjs")',
  'imports-other.mjs': 'import "./requires.cjs"'
}

const rows: [what: string, names: (keyof typeof FILES)[], found: (keyof typeof FILES)[]][] = [
  [
    'a module that one requires and one imports, and what it imports',
    ['requires.cjs', 'imports.mjs'],
    ['below.mjs', 'both.mjs']
  ],
  ['in the other order', ['imports.mjs', 'requires.cjs'], ['below.mjs', 'both.mjs']],
  ['what a required module imports', ['requires.cjs', 'imports-below.mjs'], ['below.mjs']],
  ['one that says nowhere what it is', ['requires.cjs', 'imports-typeless.mjs'], ['typeless.js']],
  ['one that CommonJS imports', ['requires.cjs', 'imports-late.cjs'], ['below.mjs', 'both.mjs']],
  ['only required', ['requires.cjs', 'imports-other.mjs'], []],
  ['only imported', ['imports.mjs', 'imports-below.mjs'], []]
]

t.test('R16: what is reached both ways is found', async (t) => {
  const folder = t.testdir(FILES)
  for (const [what, names, found] of rows) {
    const urls = (paths: readonly string[]) => paths.map((path) => String(pathToFileURL(join(folder, path))))
    t.strictSame(await reachedBothWays(urls(names)), urls(found), what)
  }
})

t.test('R16: all of them are imported at once, in both orders', async (t) => {
  for (const names of [packages, packages.toReversed()]) t.equal(await importTogether(names), null)
})
