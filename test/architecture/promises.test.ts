/** Each promise of the specification names a test that is there. */
import t from 'tap'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { DEPARTURES, departureFindings, PROMISES, type Promises, promiseFindings, testTitles } from './promises.ts'
import { PACKAGE_TESTS, readFile, readFiles, readJson, SPANNING_TESTS } from './repository.ts'

const FILE = 'plugins/svc-x/test/x.test.ts'
const source = (text: string, path = FILE) => ({ path, text })
const promised = (title: string, promise = 'it holds', file = FILE) => ({
  promise,
  source: 'A',
  tests: [{ file, title }]
})

t.test('what is a title', async (t) => {
  const text = `t.test('plain', run)
securityCase(
  'ZON-05', run)
const rows = [['a row', 1]]
t.equal('no title', 'nor this')`
  t.strictSame([...testTitles(source(text))], ['plain', 'ZON-05'])
  const table = `${text}\nt.test(title, run)`
  t.strictSame([...testTitles(source(table))], ['plain', 'ZON-05', 'a row'])
  t.strictSame(
    [...testTitles(source('t.test(`the ${part} of it`, run)'))],
    ['the ${part} of it'],
    'a template as it is written'
  )
  const cases = "const cases = {\n  'a case': async (context) => {}\n}"
  t.strictSame([...testTitles(source(cases))], [])
  t.strictSame([...testTitles(source(cases, 'plugins/svc-x/src/conformance/x.ts'))], ['a case'])
})

t.test('a promise with its test', async (t) => {
  t.strictSame(promiseFindings({ Area: [promised('it does')] }, [source("t.test('it does', run)")]), [])
})

t.test('promises that nothing holds', async (t) => {
  const found = (promises: Promises) => describeFindings(promiseFindings(promises, [source("t.test('it does', run)")]))
  t.match(found({ Area: [] }), [/no promise in "Area"/])
  t.match(found({ Area: [promised('it does')], Other: [promised('it does')] }), [/says twice: it holds/])
  t.match(found({ Area: [promised('it did')] }), [/names "it did"/])
  t.match(found({ Area: [promised('it does', 'it holds', 'gone.test.ts')] }), [/gone\.test\.ts, which is no test/])
  t.match(found({ Area: [{ ...promised(''), tests: [] }] }), [/names no test/])
})

t.test('departures and the promises that depart', async (t) => {
  const page =
    '# Page\n\n## The scaffold\n\n| the specification says | why |\n| --- | --- |\n| a | b |\n\n## Data\n\ntext\n'
  const departing = (departs: string) => ({ Area: [{ ...promised('it does'), departs }] })
  t.strictSame(departureFindings(departing('the-scaffold'), page), [])
  t.match(describeFindings(departureFindings({}, page)), [/departures\.md:3 has 1 departures under #the-scaffold/])
  t.match(describeFindings(departureFindings(departing('elsewhere'), page)), [/departs to #elsewhere/, /the-scaffold/])
})

t.test('this repository', async (t) => {
  const promises = readJson<Promises>(PROMISES)
  const sources = readFiles(
    ...PACKAGE_TESTS,
    ...SPANNING_TESTS,
    'plugins/*/src/**/*conformance*.ts',
    'plugins/*/src/conformance/*.ts'
  )
  noFindings(t, promiseFindings(promises, sources), 'promises')
  noFindings(t, departureFindings(promises, readFile(DEPARTURES).text), 'departures')
})
