/**
 * `npm test`: sets the repository up, then runs every compiled test with tap.
 *
 *   npm test                                   everything
 *   npm test -- plugins/svc-kernel access      tests whose path contains one of these words
 *   npm test -- --bail                         what begins with a dash goes to tap
 *
 * The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runAfterBootstrap } from './bootstrap.mjs'
import { childEnvironment, exitCodeOf, root, runQuietStep, StepFailed } from './run-step.mjs'
import { projectFolders } from './stale-output.mjs'
import { describeCounts, TapSummary } from './tap-summary.mjs'
import { compiledTests, matchingTests } from './test-files.mjs'

const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')

await runAfterBootstrap(async (node) => {
  if (!tapIsBuilt()) await runQuietStep('preparing tap (tap build)', node, [tap, 'build'])
  const given = process.argv.slice(2)
  const files = chooseTests(given.filter((argument) => !argument.startsWith('-')))
  return runTests(node, [...given.filter((argument) => argument.startsWith('-')), ...files])
})

function chooseTests(words) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const files = matchingTests(compiledTests(root, projectFolders(root, references)), words)
  if (files.length === 0) throw new StepFailed(`no test file matches: ${words.join(' ')}\n0 passed, 1 failed`)
  return files
}

async function runTests(node, args) {
  const child = spawn(node, [tap, '--reporter=tap', ...args], {
    cwd: root,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const summary = new TapSummary((line) => process.stdout.write(`${line}\n`))
  createInterface({ input: child.stdout }).on('line', (line) => summary.line(line))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const exitCode = await exitCodeOf(child)
  const counts = summary.counts(exitCode)
  process.stdout.write(`\n${describeCounts(counts)}\n`)
  return counts.failed > 0 ? 1 : 0
}

/** After an install tap still carries its default plugins, one of which needs an older compiler. */
function tapIsBuilt() {
  const built = join(root, 'node_modules', '@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js')
  return !readFileSync(built, 'utf8').includes('@tapjs/typescript')
}
