/** Paths: joined, taken apart, and refused where the router could not match them. */
import t from 'tap'
import { isRoutePath, joinPaths, parsePath } from '../../src/compile/route-path.ts'

t.test('joining adds one slash where one belongs', async (t) => {
  const rows: Array<[parts: string[], joined: string]> = [
    [[], '/'],
    [['', ''], '/'],
    [['/', '/'], '/'],
    [['/api', ''], '/api'],
    [['/api', '/'], '/api'],
    [['/api/', '/hello'], '/api/hello'],
    [['api', 'hello'], '/api/hello'],
    [['/api', '/hello/'], '/api/hello/'],
    [['/v1', '/api', '/:id'], '/v1/api/:id'],
    [['', '*'], '/*']
  ]
  for (const [parts, joined] of rows) t.equal(joinPaths(...parts), joined, JSON.stringify(parts))
})

t.test('parameters and pattern', async (t) => {
  const rows: Array<[path: string, parameters: string[], pattern: string]> = [
    ['/a', [], '/a'],
    ['/a/:id', ['id'], '/a/:'],
    ['/a/:id/b/:other', ['id', 'other'], '/a/:/b/:'],
    ['/a/:id?', ['id'], '/a/:?'],
    ['/a/:id(^\\d+$)', ['id'], '/a/:'],
    ['/a/:id((?:x|y)+)/b', ['id'], '/a/:/b'],
    ['/a/:from-:to', ['from', 'to'], '/a/:-:'],
    ['/a/:file.json', ['file'], '/a/:.json'],
    ['/a/::literal', [], '/a/::literal'],
    ['/files/*', ['*'], '/files/*']
  ]
  for (const [path, parameters, pattern] of rows) t.strictSame(parsePath(path), { path, parameters, pattern }, path)
})

t.test('what no request can match', async (t) => {
  for (const path of ['/a b', '/a#b', '/a?b=1', '/a?', '/*/b', '/a\n']) t.notOk(isRoutePath(path), JSON.stringify(path))
  for (const path of ['', '/', 'a', '/a/:id?', '/a/*', '/a-b_c.d~e']) t.ok(isRoutePath(path), JSON.stringify(path))
})
