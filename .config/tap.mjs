/** Runs tap on compiled tests, many in a process, and tells what came of it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { COLLECTED } from './line-coverage.mjs'
import { beginRun } from './made-once.mjs'
import { childEnvironment, exitCodeOf, root } from './run-step.mjs'
import { inSources } from './source-places.mjs'
import { addCounts, TapSummary } from './tap-summary.mjs'
import { entriesFor } from './test-groups.mjs'
import { spent, TIMES_VARIABLE, timesTable } from './test-times.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const times = join(root, '.tap', 'times.jsonl')
const pool = join(root, '.config', 'test-pool.mjs')
/** More than cores: some wait. */
const JOBS = '4'
const TIMES_FLAG = '--times'
const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')

/**
 * Resolves to `{ passed, failed, skipped, failures }`; failures are printed as they happen. Where a process ends before
 * all of its files did, each of the others runs once more, by itself.
 *
 * @param covered packages, relative to the root, of whose tests the lines that they run are collected
 */
export async function runTests(node, { flags: given = [], files, covered = [] }) {
  if (covered.length > 0) rmSync(join(root, COLLECTED), { recursive: true, force: true })
  const flags = given.filter((flag) => flag !== TIMES_FLAG)
  if (!given.includes(TIMES_FLAG)) return runFiles(node, flags, files, covered)
  rmSync(times, { force: true })
  process.env[TIMES_VARIABLE] = times
  const counts = await runFiles(node, flags, files, covered)
  const [, , all] = spent()
  if (existsSync(times)) process.stdout.write(`\n${timesTable(readFileSync(times, 'utf8'), all)}\n`)
  return counts
}

async function runFiles(node, flags, files, covered) {
  const entries = entriesFor(root, files, { all: TIMES_VARIABLE in process.env, covered })
  const { counts, ended, stopped } = await runEntries(node, flags, entries)
  const lost = files.filter((file) => !ended.has(file))
  if (lost.length === 0 || stopped || flags.includes('--bail')) return counts
  process.stdout.write(`\n${lost.length} ${lost.length === 1 ? 'file' : 'files'} not reached, each now by itself\n`)
  return addCounts(counts, (await runEntries(node, flags, lost)).counts)
}

/** Hundreds of processes load the same modules, which are remembered, and the compiler's may use more memory than time. */
function testEnvironment(run) {
  return { GOGC: 'off', GOMEMLIMIT: '1GiB', ...childEnvironment(), ...run }
}

async function runEntries(node, flags, entries) {
  const run = beginRun()
  const program = flags.length > 0 ? [tap, '--reporter=tap', ...flags] : [pool, JOBS]
  const child = spawn(node, [...program, ...entries], {
    cwd: root,
    env: testEnvironment(run.environment),
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const summary = new TapSummary((line) => process.stdout.write(`${inSources(root, line)}\n`))
  createInterface({ input: child.stdout }).on('line', (line) => summary.line(line))
  let stopped = false
  const forward = (signal) => {
    stopped = true
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  const code = await exitCodeOf(child)
  for (const signal of SIGNALS) process.off(signal, forward)
  run.end()
  return { counts: summary.counts(code), ended: summary.files, stopped }
}
