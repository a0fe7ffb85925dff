/** Runs tap on compiled tests, many in a process, and tells what came of it. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { childEnvironment, exitCodeOf, root, runQuietStep } from './run-step.mjs'
import { addCounts, TapSummary } from './tap-summary.mjs'
import { entriesFor } from './test-groups.mjs'

/** Of one run: applications in temporary folders would fill it. */
const compileCache = join(root, '.tap', 'compile-cache')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')

/** After an install tap carries its default plugins, one of which needs an older compiler; `tap build` leaves it out. */
export async function prepareTap(node) {
  const built = join(root, 'node_modules', '@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js')
  if (readFileSync(built, 'utf8').includes('@tapjs/typescript')) {
    await runQuietStep('preparing tap (tap build)', node, [tap, 'build'])
  }
}

/**
 * Resolves to `{ passed, failed, skipped, failures }`; failures are printed as they happen. Where a process ends before
 * all of its files did, each of the others runs once more, by itself.
 */
export async function runTests(node, { flags = [], files }) {
  rmSync(compileCache, { recursive: true, force: true })
  const { counts, ended } = await runEntries(node, flags, entriesFor(root, files))
  const lost = files.filter((file) => !ended.has(file))
  if (lost.length === 0 || flags.includes('--bail')) return counts
  process.stdout.write(`\n${lost.length} ${lost.length === 1 ? 'file' : 'files'} not reached, each now by itself\n`)
  return addCounts(counts, (await runEntries(node, flags, lost)).counts)
}

/** Hundreds of processes load the same modules, which are remembered, and the compiler's may use more memory than time. */
function testEnvironment(flags) {
  const env = { GOGC: '400', ...childEnvironment() }
  // What is restored from the cache is not counted exactly.
  if (flags.includes('--no-disable-coverage')) return env
  return { NODE_COMPILE_CACHE: compileCache, ...env }
}

async function runEntries(node, flags, entries) {
  const child = spawn(node, [tap, '--reporter=tap', ...flags, ...entries], {
    cwd: root,
    env: testEnvironment(flags),
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const summary = new TapSummary((line) => process.stdout.write(`${line}\n`))
  createInterface({ input: child.stdout }).on('line', (line) => summary.line(line))
  const forward = (signal) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, forward)
  const code = await exitCodeOf(child)
  for (const signal of SIGNALS) process.off(signal, forward)
  return { counts: summary.counts(code), ended: summary.files }
}
