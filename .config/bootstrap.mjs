/**
 * Makes a fresh clone ready: packages from the lockfile, Node 24 from the packages, compiled sources.
 * It runs on the machine's Node (20 or later) with nothing installed, and does only what is not done yet.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedCount, reasonToInstall } from './installed-packages.mjs'
import { root, runQuietStep, StepFailed } from './run-step.mjs'
import { projectFolders, removeStaleOutput } from './stale-output.mjs'
import { buildWebPages } from './web-pages.mjs'

const neededMajor = 24

/** Resolves to the path of a Node that is new enough, with everything installed and built. */
export async function bootstrap() {
  await installIn(root, 'packages from package-lock.json')
  const node = findNode()
  await prepareTap(node)
  await build(node)
  return node
}

/** Runs `main` after the set-up and turns its outcome into the exit code of this process. */
export async function runAfterBootstrap(main) {
  try {
    process.exitCode = await main(await bootstrap())
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Installs the lockfile of a folder, unless what is there already agrees with it. `what` names it for the terminal. */
export async function installIn(folder, what) {
  const reason = reasonToInstall(folder)
  if (reason === null) return
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const [command, given] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args]
  await runQuietStep(`installing ${what} (${reason}); this takes some minutes`, command, given, {
    cwd: folder,
    progress: () => installedCount(folder),
    hint: 'see the message of npm above; if package.json has changed, run: npm install'
  })
}

function findNode() {
  const local = join(root, 'node_modules', '.bin', 'node')
  for (const candidate of [local, process.execPath]) {
    if (existsSync(candidate) && majorOf(candidate) >= neededMajor) return candidate
  }
  throw new StepFailed(
    `setup: Node ${neededMajor} or later is needed; this is Node ${process.versions.node} and node_modules/.bin/node is missing,\n` +
      '  which happens when npm is told to skip install scripts (ignore-scripts)\n' +
      '  fix: npm rebuild node --ignore-scripts=false'
  )
}

function majorOf(node) {
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return Number.parseInt(stdout ?? '', 10)
}

/**
 * After an install tap carries its default plugins, one of which needs an older compiler; `tap build` leaves it out. The
 * tests compile against what it writes, so it runs before them.
 */
async function prepareTap(node) {
  const built = join(root, 'node_modules', '@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js')
  if (readFileSync(built, 'utf8').includes('@tapjs/typescript')) {
    await runQuietStep('preparing tap (tap build)', node, [
      join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs'),
      'build'
    ])
  }
}

async function build(node) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const folders = projectFolders(root, references)
  for (const folder of folders) removeStaleOutput(folder)
  const began = Date.now()
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await runQuietStep('compiling (tsc -b)', node, [compiler, '-b'], {
    progress: () => `${folders.filter((folder) => compiledSince(folder, began)).length} of ${folders.length} projects`
  })
  await buildWebPages(node)
}

/** The compiler writes this file last. */
function compiledSince(folder, time) {
  const file = join(folder, 'dist', 'tsconfig.tsbuildinfo')
  return existsSync(file) && statSync(file).mtimeMs >= time
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runAfterBootstrap(async () => 0)
}
