/** Wrong values are shown short, secrets never. */
import t from 'tap'
import { describeValue } from '../../src/options/option-problems.ts'

const rows: ReadonlyArray<[path: string, value: unknown, shown: string]> = [
  ['mode', 'any', '"any"'],
  ['mode', 7, '7'],
  ['mode', null, 'null'],
  ['mode', undefined, 'undefined'],
  ['mode', true, 'true'],
  ['mode', ['a', 'b'], 'a list of 2'],
  ['mode', { secret: 'hunter2' }, 'an object'],
  ['mode', () => 'hunter2', 'a function'],
  ['mode', 'a\u001b[31m', '"a\\u001b[31m"'],
  ['mode', 'x'.repeat(200), `"${'x'.repeat(76)}...`],
  ['host', 'postgres://ada:hunter2@db/x', 'text of 27 characters'],
  ['encryptionKey', 'hunter2', 'text of 7 characters'],
  ['session.secret.0', 'hunter2', 'text of 7 characters'],
  ['jwt.keySetJson', 'hunter2', 'text of 7 characters'],
  ['connectors.default.url', 'hunter2', 'text of 7 characters'],
  ['connectors.svc.uri', 12345, 'number'],
  ['password', null, 'null'],
  ['password', { plain: 'hunter2' }, 'an object']
]

for (const [path, value, shown] of rows) {
  t.test(`${path} ${shown}`, async (t) => {
    t.equal(describeValue(path.split('.'), value), shown)
  })
}
