/**
 * Runs entries of tests as processes, some at a time, with what tap prints of each: the arguments are how many at a
 * time, then the entries. tap's own command would have every process, and whatever that one starts, tell which modules
 * it loads, which costs a third of all; only coverage needs it.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import tap from 'tap'
import { COLLECTED } from './line-coverage.mjs'
import { isCovered } from './test-groups.mjs'

const FILE_TIMEOUT_S = 600
/** Of the youngest objects: tests make many that are not kept. */
const YOUNG = '--min-semi-space-size=32'
const DOMAIN = fileURLToPath(new URL('test-domain.mjs', import.meta.url))
const [jobs, ...entries] = process.argv.slice(2)
// tap adds its recorder to the options of Node: `env` puts them back as they are here.
const command = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, process.execPath, YOUNG, '--import', DOMAIN]
const options = { buffered: true, timeout: FILE_TIMEOUT_S * 1000, at: null, stack: '' }
const env = { ...process.env, TAP_TIMEOUT: String(FILE_TIMEOUT_S) }
// What is restored from the cache is not counted exactly.
const counted = { ...env, NODE_V8_COVERAGE: resolve(COLLECTED), NODE_DISABLE_COMPILE_CACHE: '1' }

tap.jobs = Number(jobs)
tap.setTimeout(0)
const running = new Set()
tap.on('spawn', (test) => {
  // Each leads a group of its own, so that what a file started ends with it, also where it is killed for its time.
  test.once('preprocess', (given) => Object.assign(given, { detached: true }))
  test.once('process', (child) => {
    const { pid } = child
    running.add(pid)
    child.once('exit', () => {
      running.delete(pid)
      endGroup(pid)
    })
  })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const pid of running) endGroup(pid)
    process.kill(process.pid, signal)
  })
}
for (const entry of entries) {
  tap.spawn('env', [...command, entry], { ...options, name: entry, env: isCovered(entry) ? counted : env })
}

function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
