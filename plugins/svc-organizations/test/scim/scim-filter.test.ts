/** Filters and paths of SCIM: tables of what they match, and of what is refused. */
import t from 'tap'
import { matches, readFilter, readPath } from '../../src/scim/scim-filter.ts'
import { caught } from '../support/caught.ts'

const ADA = {
  id: 'A1',
  externalId: 'E1',
  userName: 'ada@example.org',
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { type: 'work', value: 'ada@example.org', primary: true },
    { type: 'home', value: 'ada@home.example' }
  ],
  meta: { lastModified: '2026-11-28T10:00:00Z' },
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' }
}

const FILTERS: ReadonlyArray<readonly [filter: string, matched: boolean]> = [
  ['userName eq "ada@example.org"', true],
  ['USERNAME Eq "ADA@EXAMPLE.ORG"', true],
  ['userName eq "bob@example.org"', false],
  ['externalId eq "E1"', true],
  ['externalId eq "e1"', false],
  ['id eq "a1"', false],
  ['userName ne "bob@example.org"', true],
  ['name.givenName co "d"', true],
  ['name.familyName sw "love"', true],
  ['name.familyName ew "ACE"', true],
  ['title pr', false],
  ['not (title pr)', true],
  ['active eq true', true],
  ['active eq "True"', true],
  ['active eq false', false],
  ['emails eq "ada@home.example"', true],
  ['emails.value sw "ada@home"', true],
  ['emails[type eq "work" and value co "example.org"]', true],
  ['emails[type eq "home" and value co "example.org"]', false],
  ['meta.lastModified gt "2026-01-01T00:00:00Z"', true],
  ['meta.lastModified lt "2026-01-01T00:00:00Z"', false],
  ['userName eq "x" or active eq true and name.givenName eq "Ada"', true],
  ['(userName eq "x" or active eq true) and name.givenName eq "Bob"', false],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@example.org"', true],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "engines"', true],
  ['title eq null', true],
  ['userName eq "ada\\u0040example.org"', true]
]

t.test('filters', async (t) => {
  for (const [filter, matched] of FILTERS) t.equal(matches(readFilter(filter), ADA), matched, filter)
})

t.test('what is no filter is refused', async (t) => {
  const bad = [
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    "userName eq 'x'",
    'userName eq "x" and',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'not userName eq "x"',
    'userName eq "x" userName eq "y"',
    '; drop',
    `${'('.repeat(30)}a pr${')'.repeat(30)}`,
    `userName eq "${'x'.repeat(2000)}"`
  ]
  for (const filter of bad)
    t.match(
      caught(() => readFilter(filter)),
      { statusCode: 400, scimType: 'invalidFilter' },
      filter
    )
})

t.test('paths', async (t) => {
  t.match(readPath('name.givenName'), { names: ['name', 'givenName'], filter: null, sub: null })
  t.match(readPath('emails[type eq "work"].value'), { names: ['emails'], sub: 'value' })
  t.match(readPath('members[value eq "1"]'), { names: ['members'], sub: null })
  for (const path of ['', 'a b', 'members[', 'members[value eq "1"].', 'members[value eq "1"] x', '["a"]']) {
    t.match(
      caught(() => readPath(path)),
      { statusCode: 400, scimType: 'invalidPath' },
      path
    )
  }
})
