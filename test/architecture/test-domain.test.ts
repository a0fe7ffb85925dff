/** An error that no promise of a test carries fails the test whose work threw it, in the processes of `npm test` as under tap alone. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { inRoot, ROOT } from './repository.ts'

const BEGIN = `
import t from 'tap'
const later = (work) => new Promise((resolve) => { work(); setTimeout(resolve, 50) })
const thrown = (text) => { throw new Error(text) }
`

/** Each in a program of its own: a test that fails early runs on beside the next, and tap then writes in any order. */
const CASES: readonly (readonly [what: string, code: string, point: string])[] = [
  [
    'in the innermost test',
    `t.test('around', async (t) => {
  t.test('timer', () => later(() => setTimeout(thrown, 5, 'in a timer')))
  await later(() => {})
})`,
    '        not ok in a timer'
  ],
  [
    'a rejection that nobody waits for',
    "t.test('rejection', () => later(() => { Promise.reject(new Error('not waited for')) }))",
    '    not ok not waited for'
  ],
  [
    'a handler of its own',
    `t.test('handler', async (t) => {
  const seen = new Promise((resolve) => process.once('uncaughtException', resolve))
  setTimeout(thrown, 5, 'handled')
  t.equal((await seen).message, 'handled')
})`,
    'ok handler'
  ]
]

for (const [what, code, point] of CASES) {
  t.test(`the same points as under tap alone: ${what}`, async (t) => {
    const file = join(t.testdir({ 'errors.mjs': BEGIN + code }), 'errors.mjs')
    const found = points(await outputOf(['--import', inRoot('.config/test-domain.mjs'), file]))
    t.strictSame(found, points(await outputOf([file])))
    t.ok(found.includes(point), found.join('\n'))
  })
}

t.test('an error after the end of its test fails the program, as under tap alone', async (t) => {
  const code = `t.test('ends before', async () => { setTimeout(thrown, 5, 'after the end') })
t.test('next', (t) => later(() => t.pass('not its error')))`
  const file = join(t.testdir({ 'errors.mjs': BEGIN + code }), 'errors.mjs')
  const isFailure = (point: string) => point.startsWith('not ok')
  t.ok(points(await outputOf([file])).some(isFailure))
  const found = points(await outputOf(['--import', inRoot('.config/test-domain.mjs'), file]))
  t.strictSame(found.filter(isFailure), ['not ok after the end'], 'and no other test')
})

function outputOf(args: string[]): Promise<string> {
  const { TAP: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env }, (_error, stdout) => resolve(stdout))
  })
}

/** Of each test point what it says and its name, deeper ones indented as tap does. */
function points(output: string): string[] {
  return Array.from(output.matchAll(/^( *(?:not )?ok) \d+ - (.*?)(?: # time.*)?$/gm), ([, ok, name]) => `${ok} ${name}`)
}
