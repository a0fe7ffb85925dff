/** Runs tap on compiled tests and tells what came of it. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { childEnvironment, exitCodeOf, root, runQuietStep } from './run-step.mjs'
import { TapSummary } from './tap-summary.mjs'

const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')

/** After an install tap carries its default plugins, one of which needs an older compiler; `tap build` leaves it out. */
export async function prepareTap(node) {
  const built = join(root, 'node_modules', '@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js')
  if (readFileSync(built, 'utf8').includes('@tapjs/typescript')) {
    await runQuietStep('preparing tap (tap build)', node, [tap, 'build'])
  }
}

/** Resolves to `{ passed, failed, skipped }`. Failures are printed as they happen. */
export async function runTests(node, args) {
  const child = spawn(node, [tap, '--reporter=tap', ...args], {
    cwd: root,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const summary = new TapSummary((line) => process.stdout.write(`${line}\n`))
  createInterface({ input: child.stdout }).on('line', (line) => summary.line(line))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return summary.counts(await exitCodeOf(child))
}
