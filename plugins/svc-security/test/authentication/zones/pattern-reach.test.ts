/** What a zone pattern settles for a route template, and which patterns exclude each other. */
import t from 'tap'
import { excludes, patternReach } from '../../../src/authentication/zones/pattern-reach.ts'

const rows: Array<[source: string, prefix: string, settles: string | true | null]> = [
  ['^/api', '/api', true],
  ['^\\/api\\/v1', '/api/v1', true],
  ['^/api(/|$)', '/api', '^/api/'],
  ['^/api(?:\\/|$)', '/api', '^/api/'],
  ['^/(a|b)(/|$)', '/', '^/(a|b)/'],
  ['^/a(/|$)|^/b(/|$)', '', null],
  ['^/api/?', '/api', true],
  ['^/apis*', '/api', true],
  ['^/ap{2}i', '/a', true],
  ['^/a\\.b', '/a.b', true],
  ['^/a\\d', '/a', true],
  ['^/api$', '/api', null],
  ['^/api\\b', '/api', null],
  ['^/api/(?!open)', '/api/', null],
  ['^/(api|admin)', '/', true],
  ['^/api|^/admin', '', true],
  ['^/a[|]b', '/a', true],
  ['^/a\\|b', '/a|b', true],
  ['/api', '', true],
  ['^', '', true],
  ['.*', '', true]
]

for (const [source, prefix, settles] of rows) {
  t.test(source, (t) => {
    const reach = patternReach(source, 'u')
    t.equal(reach.prefix, prefix)
    t.equal(
      reach.settles?.source ?? null,
      settles === null ? null : new RegExp(settles === true ? source : settles).source
    )
    t.end()
  })
}

const excluded: Array<[source: string, start: string, ignoreCase: boolean, excluded: boolean]> = [
  ['^/admin', '/api/', false, true],
  ['^/admin', '/', false, false],
  ['^/admin', '/admin/users/', false, false],
  ['^/Admin', '/admin/', false, true],
  ['^/Admin', '/admin/', true, false],
  ['/admin', '/api/', false, false],
  ['^/admin|^/api', '/api/', false, false]
]

for (const [source, start, ignoreCase, expected] of excluded) {
  t.test(`${source} ${expected ? 'cannot' : 'may'} match what begins with ${start}`, (t) => {
    t.equal(excludes(patternReach(source, 'u'), start, ignoreCase), expected)
    t.end()
  })
}
