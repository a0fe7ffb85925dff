/**
 * Runs compiled test files one after another in one process: what a file imports from tap is a test of its own, named
 * for the file. A file that never ends, or takes the process with it, ends the group: those behind it do not appear in
 * the output, which is how the runner knows them.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import tap from 'tap'
import { root } from './run-step.mjs'
import { beginTimes } from './test-times.mjs'

const OWN_TEST = 'test-of:'
/** What a file imports that several test files share: the test of the one that runs. */
const RUNNING = `${OWN_TEST}running`
const FILE_TIMEOUT_MS = 600_000
const LEFT_MS = 30_000

const tests = new Map()
const ours = String(pathToFileURL(root))

/** `files` are relative to the root of the repository. */
export async function runGroup(files) {
  globalThis[Symbol.for('svc.tests')] = tests
  registerHooks({ resolve, load })
  const { begin } = await import(RUNNING)
  // The limit of one file, times the files: tap's own is that of one.
  tap.setTimeout(files.length * FILE_TIMEOUT_MS)
  for (const file of files) {
    const url = String(pathToFileURL(join(root, file)))
    await tap.test(file, { timeout: FILE_TIMEOUT_MS }, async (t) => {
      tests.set(url, t)
      begin(t)
      const endTimes = beginTimes(file)
      await import(url)
      t.teardown(endTimes)
    })
  }
  // A file that ended for its time may leave a server or a browser, for which the process would wait for ever.
  setTimeout(() => process.exit(), LEFT_MS).unref()
}

function resolve(specifier, context, next) {
  if (specifier === RUNNING) return { url: RUNNING, format: 'module', shortCircuit: true }
  const { parentURL = '' } = context
  if (specifier !== 'tap' || !parentURL.startsWith(ours) || parentURL.includes('/node_modules/')) {
    return next(specifier, context)
  }
  const url = tests.has(parentURL) ? OWN_TEST + parentURL : RUNNING
  return { url, format: 'module', shortCircuit: true }
}

function load(url, context, next) {
  if (!url.startsWith(OWN_TEST)) return next(url, context)
  const source =
    url === RUNNING
      ? 'let running\nexport { running as default }\nexport const begin = (t) => { running = t }'
      : `export default globalThis[Symbol.for('svc.tests')].get(${JSON.stringify(url.slice(OWN_TEST.length))})`
  return { source, format: 'module', shortCircuit: true }
}
