/** An error that no promise of a test carries fails the test whose work threw it, in the processes of `npm test` as under tap alone. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { inRoot, ROOT } from './repository.ts'

const CODE = `
import t from 'tap'
const later = (work) => new Promise((resolve) => { work(); setTimeout(resolve, 50) })
const thrown = (text) => { throw new Error(text) }
t.test('around', async (t) => {
  t.test('timer', () => later(() => setTimeout(thrown, 5, 'in a timer')))
  await later(() => {})
})
t.test('rejection', () => later(() => { Promise.reject(new Error('not waited for')) }))
t.test('handler of its own', async (t) => {
  const seen = new Promise((resolve) => process.once('uncaughtException', resolve))
  setTimeout(thrown, 5, 'handled')
  t.equal((await seen).message, 'handled')
})
t.test('ends before', async () => { setTimeout(thrown, 5, 'after the end') })
t.test('next', (t) => later(() => t.pass('not its error')))
`

t.test('the same points as under tap alone', async (t) => {
  const file = join(t.testdir({ 'errors.mjs': CODE }), 'errors.mjs')
  const found = points(await outputOf(['--import', inRoot('.config/test-domain.mjs'), file]))
  const failures = found.filter((point) => point.trim().startsWith('not ok'))
  t.strictSame(found, points(await outputOf([file])))
  t.ok(failures.includes('        not ok in a timer'), 'in the innermost test')
  t.ok(failures.includes('    not ok not waited for'))
  t.ok(failures.includes('not ok after the end'), 'around the test that has ended')
  t.notOk(failures.some((point) => point.endsWith('handler of its own')))
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
