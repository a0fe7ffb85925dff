/** Option paths as a person writes them. */
import t from 'tap'
import { optionPath, pointerSegments } from '../../src/options/option-problems.ts'

const rows: ReadonlyArray<[root: string, pointer: string, path: string]> = [
  ['svc-x', '', 'svc-x'],
  ['svc-x', '/areas/api', 'svc-x.areas.api'],
  ['svc-x', '/areas/api/authenticators/0', 'svc-x.areas.api.authenticators[0]'],
  ['svc-x', '/a~1b/c~0d/e~01f', 'svc-x.a/b.c~d.e~1f'],
  ['', '/server/port', 'server.port'],
  ['', '/modules/2', 'modules[2]']
]

for (const [root, pointer, path] of rows) {
  t.test(path, async (t) => {
    t.equal(optionPath(root, pointerSegments(pointer)), path)
  })
}
