/**
 * What each test file costs: `npm test -- --times`. Each process adds a line to a file when one of its test files ends:
 * seconds on the clock, and of processor time, those of its ended children included, as `/proc` counts them.
 */
import { appendFileSync, readFileSync } from 'node:fs'

/** Names the file that takes the lines. */
export const TIMES_VARIABLE = 'SVC_TEST_TIMES'
const TICKS_PER_SECOND = 100

/** Call at the start of a test file; call what it returns when the file has ended. */
export function beginTimes(name) {
  const target = process.env[TIMES_VARIABLE]
  if (target === undefined) return () => {}
  const before = spent()
  return () => {
    const after = spent()
    const [seconds, own, children, kept] = after.map((value, index) => value - before[index])
    appendFileSync(target, `${JSON.stringify({ name, seconds, own, children: children + kept, kept })}\n`)
  }
}

let kept = 0

/** Processor time, in seconds, of what a process that outlives the test file did for it. */
export function addKept(seconds) {
  kept += seconds
}

/** Seconds: on the clock, of processor time, of that of ended children, and of processes that are kept. */
export function spent() {
  // Linux alone has it. The name of the program, in brackets, may hold spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS_PER_SECOND)
  return [performance.now() / 1000, user + system, childUser + childSystem, kept]
}

/** The lines of a run as a table, the dearest first; `all` is what its children took, their starts included. */
export function timesTable(text, all) {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  rows.sort((a, b) => b.own + b.children - a.own - a.children)
  const lines = rows.map(({ name, seconds, own, children }) => {
    const cells = [own + children, own, children, seconds].map((value) => value.toFixed(1).padStart(9))
    return `${cells.join('')}  ${name}`
  })
  const total = rows.reduce((sum, { kept }) => sum + kept, all)
  return ['    cpu, s      own children  wall, s', ...lines, `${total.toFixed(1)} s of processor time`].join('\n')
}
