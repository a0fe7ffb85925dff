/** A package that only some applications need: loaded where it is there, and named with its install line where not. */
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { optionalPackage } from '../../src/problems/optional-package.ts'

const use = { what: 'PostgreSQL', at: 'svc-sqlorm.connectors.default.url' }

t.test('as the caller would load it', async (t) => {
  const folder = t.testdir({ node_modules: { client: { 'index.js': 'module.exports = { Pool: 1 }' } } })
  const { Pool } = optionalPackage<{ Pool: number }>('client', pathToFileURL(`${folder}/a.js`).href, use)
  t.equal(Pool, 1)
})

t.test('missing: five parts, with the line that installs it', async (t) => {
  const folder = t.testdir({})
  t.throws(() => optionalPackage('no-such-client', pathToFileURL(`${folder}/a.js`).href, use), {
    code: 'SVC_NOT_INSTALLED',
    problems: [
      {
        message: 'PostgreSQL needs the package no-such-client, which is not installed',
        at: use.at,
        expected: /among the dependencies/,
        fix: 'npm install no-such-client',
        more: /startup-problems/
      }
    ]
  })
})

t.test('a package that fails by itself, and one whose own dependency is missing, fail as they are', async (t) => {
  const folder = t.testdir({
    node_modules: {
      broken: { 'index.js': "throw new RangeError('its own fault')" },
      partial: { 'index.js': "require('a-part-of-it')" }
    }
  })
  const importer = pathToFileURL(`${folder}/a.js`).href
  t.throws(() => optionalPackage('broken', importer, use), { name: 'RangeError', message: 'its own fault' })
  t.throws(() => optionalPackage('partial', importer, use), { code: 'MODULE_NOT_FOUND', message: /a-part-of-it/ })
})
