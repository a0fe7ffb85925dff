/**
 * `svc build`: compiles into its own folder and moves that into dist/ only
 * when all of it compiled: a failed build does not touch the last good one. What an
 * earlier build made of a file that was deleted goes; what no build made stays.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Problem } from 'svc-kernel'
import { formatProblem, terminalPaint } from 'svc-kernel/host'
import { compilerOf, hasClient, notInstalled } from '../application/app-packages.ts'
import { findRoot } from '../application/find-application.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain, print } from '../output.ts'
import { noteLeftOut } from './stale-build.ts'

const COMMAND = 'svc build'

/** The folder that svc-orm has for them, unless its option says another. */
const MIGRATIONS = 'migrations'

/** @throws CommandError SVC_BUILD_FAILED after the compiler printed its errors */
export async function build(options: AppOptions): Promise<void> {
  const root = findRoot(options.root, COMMAND)
  const tsc = compilerOf(root)
  if (tsc === null) throw new CommandError(notInstalled(root, 'typescript'))
  const fresh = join(root, '.svc-build')
  const target = join(root, 'dist')
  await rm(fresh, { recursive: true, force: true })
  if (hasClient(root)) await mapRoutes(options)
  try {
    await compile(tsc, root, fresh)
    if (!existsSync(join(fresh, 'app.js'))) throw new CommandError(noEntryBuilt(root))
    noteLeftOut(root, fresh)
    await copyMigrations(root, fresh)
    const kept = await replaceBuild(fresh, target)
    if (kept.length > 0) complain(formatProblem(keptProblem(kept), terminalPaint(process.stderr), '▲'))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  const files = await readdir(target, { recursive: true })
  print(`built dist/ (${files.filter((file) => file.endsWith('.js')).length} modules)`)
}

/** Before the compiler, which reads the map. @throws what the registration of the application throws */
async function mapRoutes(options: AppOptions): Promise<void> {
  const { writeRouteMap } = await import('../client/client.ts')
  const problems = await inspectApp(
    options,
    COMMAND,
    async ({ app, declared, importModule, register }) => {
      const fastify = await register()
      return writeRouteMap({ root: app.root, fastify, routes: declared, importModule })
    },
    { checkOnly: true }
  )
  for (const problem of problems) complain(formatProblem(problem, terminalPaint(process.stderr), '▲'))
}

async function compile(tsc: string, root: string, outDir: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [tsc, '-p', root, '--outDir', outDir, '--noEmitOnError', '--incremental', 'false'],
    {
      cwd: root,
      stdio: 'inherit'
    }
  )
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  const { movedImportsOf } = await import('../upgrade/upgrade.ts')
  const moved = (await movedImportsOf(root)).flatMap((file) => file.moved).length
  throw new CommandError({
    code: 'SVC_BUILD_FAILED',
    message: 'the sources do not compile, see above; dist/ is unchanged',
    at: join(root, 'tsconfig.json'),
    fix:
      moved === 0
        ? 'correct the errors, then npm run build'
        : `npx svc upgrade updates ${moved} imports that have moved`
  })
}

/** As they are written, beside what the compiler made of them: what ran is known by the checksum of its source. */
async function copyMigrations(root: string, fresh: string): Promise<void> {
  if (!existsSync(join(root, MIGRATIONS))) return
  await cp(join(root, MIGRATIONS), join(fresh, MIGRATIONS), { recursive: true })
}

function keptProblem(kept: readonly string[]): Problem {
  const names = kept.slice(0, 3).map((name) => join('dist', name))
  return {
    code: 'SVC_BUILD_KEPT',
    message: `dist/ contains ${kept.length} file${kept.length === 1 ? '' : 's'} that no build wrote: kept as they are`,
    at: `${names.join(', ')}${kept.length > names.length ? ' ...' : ''}`,
    fix: "move data to the application's folder, as in mv dist/data data",
    more: 'npx svc docs startup-problems'
  }
}

function noEntryBuilt(root: string) {
  return {
    code: 'SVC_BUILD_FAILED',
    message: 'the compiler wrote no app.js; dist/ is unchanged',
    at: join(root, 'tsconfig.json'),
    expected: '"rootDir": "." and app.ts among the files',
    fix: 'set "rootDir": "." and "include": ["**/*.ts"]'
  }
}

/** What a compiler writes. */
const COMPILED = /\.(?:[cm]?js|d\.[cm]?ts)(?:\.map)?$|\.tsbuildinfo$/

/**
 * Puts a new build in the place of the one before. Only what a compiler writes is ever deleted, so that a database or a
 * key kept in the build folder outlives every build.
 *
 * @param fresh folder of the new build; its files are moved out of it
 * @param target made where it is not there
 * @returns paths, relative to `target`, of what no compiler made: it stays as it is
 */
export async function replaceBuild(fresh: string, target: string): Promise<readonly string[]> {
  const made = new Set(await filesIn(fresh))
  const kept: string[] = []
  for (const name of existsSync(target) ? await filesIn(target) : []) {
    if (made.has(name)) continue
    if (COMPILED.test(name)) await rm(join(target, name))
    else kept.push(name)
  }
  for (const name of made) {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await rename(join(fresh, name), join(target, name))
  }
  await removeEmpty(target)
  return kept
}

/** Everything below a folder that is no folder itself; a link is not followed. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Folders whose sources are gone, deepest first. */
async function removeEmpty(target: string): Promise<void> {
  const entries = await readdir(target, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  for (const folder of folders.sort((one, other) => other.length - one.length)) {
    if ((await readdir(folder)).length === 0) await rmdir(folder)
  }
}
