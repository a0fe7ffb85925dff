/** Faults that were found once stay tested by name. */
import t from 'tap'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { REGRESSIONS, regressionFindings } from './regressions.ts'
import { PACKAGE_TESTS, readFile, readFiles, SPANNING_TESTS } from './repository.ts'

const test = (title: string) => [{ path: 'test/x.test.ts', text: `t.test("${title}", run)` }]

t.test('a fault with its test', async (t) => {
  t.strictSame(regressionFindings({ R1: 'it holds' }, test('R1: what is asked is answered')), [])
  t.strictSame(regressionFindings({ R1: 'a', S2: 'b' }, test('R1, S2: two at once')), [])
})

t.test('a fault without a test', async (t) => {
  t.match(describeFindings(regressionFindings({ R1: 'it holds' }, test('what is asked'))), [/lists R1/])
})

t.test('a test for an unknown fault', async (t) => {
  t.match(describeFindings(regressionFindings({}, test('R9: nothing'))), [/named for R9/])
})

t.test('this repository', async (t) => {
  const known = JSON.parse(readFile(REGRESSIONS).text) as Record<string, string>
  const tests = readFiles(...PACKAGE_TESTS, ...SPANNING_TESTS, 'plugins/*/src/conformance/*.ts').filter(
    ({ path }) => path !== 'test/architecture/regressions.test.ts'
  )
  noFindings(t, regressionFindings(known, tests), 'regressions')
})
