/** The output of tsc, read as faults. */
import t from 'tap'
import { typeFaults } from '../../src/dev/type-check.ts'

t.test('one fault per error; what explains it further is left out', async (t) => {
  const output = [
    "controllers/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "  The expected type comes from property 'x'",
    'odd (name).ts(1,2): error TS1005: \u0027}\u0027 expected.',
    "error TS18003: No inputs were found in config file 'tsconfig.json'.",
    ''
  ].join('\r\n')
  t.strictSame(typeFaults(output), [
    { at: 'controllers/a.ts:3:5', code: 'TS2322', message: "Type 'string' is not assignable to type 'number'." },
    { at: 'odd (name).ts:1:2', code: 'TS1005', message: "'}' expected." },
    { at: '', code: 'TS18003', message: "No inputs were found in config file 'tsconfig.json'." }
  ])
})

t.test('no errors', async (t) => {
  t.strictSame(typeFaults(''), [])
})
