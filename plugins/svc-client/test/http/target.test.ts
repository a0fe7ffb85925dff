/** Names of routes as targets: what a router would take apart again. */
import t from 'tap'
import { targetOf } from '../../src/http/target.ts'

const rows: ReadonlyArray<readonly [string, Record<string, unknown>, Record<string, unknown>, string]> = [
  ['GET /notes', {}, {}, '/notes'],
  ['GET /notes/:id', { id: 7 }, {}, '/notes/7'],
  ['GET /notes/:id', { id: 'a/b ü?#' }, {}, '/notes/a%2Fb%20%C3%BC%3F%23'],
  ['GET /notes/:id', { id: '..' }, {}, '/notes/%2E%2E'],
  ['GET /notes/:id(^\\d+$)/x', { id: 7 }, {}, '/notes/7/x'],
  ['GET /at/:hour(^(?:\\d{2})$)h:minute', { hour: '08', minute: 15 }, {}, '/at/08h15'],
  ['GET /notes/:id?', {}, {}, '/notes/'],
  ['GET /files/*', { '*': 'a/b c.txt' }, {}, '/files/a/b%20c.txt'],
  ['GET /files/*', { '*': '../etc/passwd' }, {}, '/files/%2E%2E/etc/passwd'],
  ['POST /rows::batch', {}, {}, '/rows:batch'],
  [
    'GET /n',
    {},
    { q: 'a&b=c', tag: ['x', 'y'], none: undefined, empty: '', zero: 0 },
    '/n?q=a%26b%3Dc&tag=x&tag=y&empty=&zero=0'
  ],
  ['GET /n', {}, { since: new Date(0) }, '/n?since=1970-01-01T00%3A00%3A00.000Z']
]

for (const [route, params, query, expected] of rows) {
  t.test(`${route} ${JSON.stringify({ params, query })}`, async (t) => {
    t.strictSame(targetOf(route, params, query), [route.split(' ')[0], expected])
  })
}

t.test('a parameter without a value', async (t) => {
  t.throws(() => targetOf('GET /notes/:id', {}), {
    name: 'TypeError',
    message: 'params.id of GET /notes/:id has no value'
  })
  t.throws(() => targetOf('GET /notes/:id', { id: '' }), { name: 'TypeError' })
})
