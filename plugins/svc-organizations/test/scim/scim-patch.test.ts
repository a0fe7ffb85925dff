/** PATCH of SCIM: bodies as Entra and Okta send them, and what each makes of a resource. */
import t from 'tap'
import { patched, readFlag, type ScimResource } from '../../src/scim/scim-patch.ts'
import { caught } from '../support/caught.ts'

const USER: ScimResource = {
  userName: 'ada@example.org',
  active: true,
  name: { givenName: 'Ada' },
  emails: [{ type: 'work', value: 'ada@example.org' }]
}
const GROUP: ScimResource = { displayName: 'Sales', members: [{ value: '1' }, { value: '2' }] }

const CASES: ReadonlyArray<readonly [what: string, of: ScimResource, operations: object[], after: object]> = [
  ['Entra disables a user', USER, [{ op: 'Replace', path: 'active', value: 'False' }], { ...USER, active: 'False' }],
  [
    'Okta disables a user without a path',
    USER,
    [{ op: 'replace', value: { active: false } }],
    { ...USER, active: false }
  ],
  [
    'Entra changes dotted names without a path',
    USER,
    [{ op: 'Add', value: { 'name.familyName': 'Lovelace', displayName: 'Ada L' } }],
    { ...USER, name: { givenName: 'Ada', familyName: 'Lovelace' }, displayName: 'Ada L' }
  ],
  [
    'Entra replaces the value of an address by its type',
    USER,
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.org' }],
    { ...USER, emails: [{ type: 'work', value: 'new@example.org' }] }
  ],
  [
    'Entra adds the value of an address that is not there',
    { userName: 'a' },
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'a@example.org' }],
    { userName: 'a', emails: [{ type: 'work', value: 'a@example.org' }] }
  ],
  [
    'an attribute of the enterprise extension',
    USER,
    [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'X' }],
    { ...USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'X' } }
  ],
  [
    'Entra adds members, one of them again',
    GROUP,
    [
      {
        op: 'Add',
        path: 'members',
        value: [
          { $ref: null, value: '2' },
          { $ref: null, value: '3' }
        ]
      }
    ],
    { ...GROUP, members: [{ value: '1' }, { value: '2' }, { $ref: null, value: '3' }] }
  ],
  [
    'Entra removes members by a list',
    GROUP,
    [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: '1' }] }],
    { ...GROUP, members: [{ value: '2' }] }
  ],
  [
    'Okta removes a member by a filter',
    GROUP,
    [{ op: 'remove', path: 'members[value eq "1"]' }],
    { ...GROUP, members: [{ value: '2' }] }
  ],
  [
    'Okta replaces all members, then the name',
    GROUP,
    [
      { op: 'replace', path: 'members', value: [{ value: '9', display: 'x' }] },
      { op: 'replace', value: { id: 'g1', displayName: 'New' } }
    ],
    { id: 'g1', displayName: 'New', members: [{ value: '9', display: 'x' }] }
  ],
  ['all members go', GROUP, [{ op: 'remove', path: 'members' }], { displayName: 'Sales' }],
  [
    'names are found without case',
    USER,
    [{ op: 'replace', path: 'Name.GivenName', value: 'B' }],
    { ...USER, name: { givenName: 'B' } }
  ],
  ['what is not there is removed without a fault', USER, [{ op: 'remove', path: 'name.nothing.more' }], USER]
]

for (const [what, of, operations, after] of CASES) {
  t.test(what, async (t) => {
    const before = structuredClone(of)
    t.same(patched(of, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }), after)
    t.same(of, before, 'the resource before stays')
  })
}

t.test('what is no PATCH is refused', async (t) => {
  const bad: unknown[] = [
    null,
    [],
    {},
    { Operations: [] },
    { Operations: {} },
    { Operations: [null] },
    { Operations: [{ op: 'move', path: 'a' }] },
    { Operations: [{ op: 'remove' }] },
    { Operations: [{ op: 'add', value: 'x' }] },
    { Operations: [{ op: 'add', path: '__proto__.x', value: 1 }] },
    { Operations: [{ op: 'replace', path: 'members[value co "1"].display', value: 'x' }] },
    { Operations: Array.from({ length: 1001 }, () => ({ op: 'add', path: 'a', value: 1 })) }
  ]
  for (const body of bad)
    t.match(
      caught(() => patched(USER, body)),
      { statusCode: 400 },
      JSON.stringify(body)?.slice(0, 80)
    )
  t.equal(({} as { x?: unknown }).x, undefined)
})

t.test('flags come as booleans or as texts', async (t) => {
  for (const value of [true, 'True', 'TRUE', 'true']) t.equal(readFlag(value, 'active'), true)
  for (const value of [false, 'False', 'false']) t.equal(readFlag(value, 'active'), false)
  for (const value of ['', 'yes', 0, null, {}])
    t.match(
      caught(() => readFlag(value, 'active')),
      { statusCode: 400 }
    )
})
