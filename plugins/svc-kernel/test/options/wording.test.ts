/** Option paths as a person writes them; wrong values are shown short, secrets never. */
import t from 'tap'
import { describeValue, optionPath, pointerSegments } from '../../src/options/wording.ts'

const paths: ReadonlyArray<[root: string, pointer: string, path: string]> = [
  ['svc-x', '', 'svc-x'],
  ['svc-x', '/areas/api', 'svc-x.areas.api'],
  ['svc-x', '/areas/api/authenticators/0', 'svc-x.areas.api.authenticators[0]'],
  ['svc-x', '/a~1b/c~0d/e~01f', 'svc-x.a/b.c~d.e~1f'],
  ['', '/server/port', 'server.port'],
  ['', '/modules/2', 'modules[2]']
]

for (const [root, pointer, path] of paths) {
  t.test(path, async (t) => {
    t.equal(optionPath(root, pointerSegments(pointer)), path)
  })
}

const values: ReadonlyArray<[path: string, value: unknown, shown: string]> = [
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

for (const [path, value, shown] of values) {
  t.test(`${path} ${shown}`, async (t) => {
    t.equal(describeValue(path.split('.'), value), shown)
  })
}
