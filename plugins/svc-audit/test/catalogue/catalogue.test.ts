/** The catalogue and its page in the documentation say the same, both ways. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ACTIONS, CATALOGUE, CATEGORIES } from '../../src/catalogue/catalogue.ts'

const PAGE = join(import.meta.dirname, '../../../../../docs/reference/audit.md')

t.test('every action is on the page, and nothing else', async (t) => {
  const onPage = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([^`]+)` \| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, action, category, outcomes, when]) => [action, category, outcomes?.trim(), when?.trim()]
  )
  const inCode = [...CATALOGUE].map(([action, { category, outcomes, when }]) => [
    action,
    category,
    outcomes.map((outcome) => `\`${outcome}\``).join(', '),
    when
  ])
  t.strictSame(onPage, inCode)
})

t.test('the categories of the specification, each with an action', async (t) => {
  const specified = [
    'auth',
    'authz',
    'token',
    'session',
    'oauth',
    'webauthn',
    'csrf',
    'cors',
    'ws',
    'webhook',
    'config'
  ]
  t.strictSame([...CATEGORIES].sort(), specified.sort())
  t.equal(ACTIONS.length, CATALOGUE.size)
})
